import { listFiles } from '../list-files.mjs';

/** The fast tests of a room besides those in the folder of its name: files of the package's tests, without `.test.ts`. */
const ALSO = {
  core: {
    layers: ['structure', 'content'],
    edits: ['layers/*', 'structure'],
    view: ['structure', 'content', 'state'],
    walk: ['structure', 'sizes', 'state'],
    summary: ['summaries', 'generations'],
    session: ['state', 'asked-for'],
  },
  wire: {
    'anthropic-messages': ['anthropic-encode', 'decode', 'encode-kinds', 'encode-view', 'round-trip', 'validate'],
    'openai-chat': ['openai-encode', 'decode', 'encode-kinds', 'encode-view', 'round-trip', 'validate'],
    'openai-responses': ['openai-encode', 'decode', 'encode-kinds', 'encode-view', 'round-trip', 'validate'],
    gemini: ['gemini-encode', 'decode', 'encode-kinds', 'encode-view', 'round-trip', 'validate'],
  },
};

/** Splits `layers`, `layers/cap-results` or `wire:gemini` into its package, room and file. */
export function parseRoom(words = '') {
  const [, name = 'core', room, file] = /^(?:([a-z-]+):)?([a-z-]+)(?:\/([a-z/-]+?)(?:\.ts)?)?$/.exec(words) ?? [];
  if (room === undefined) throw new Error(`"${words}" is no room; rooms are layers, layers/cap-results, wire:gemini …`);
  return { name, room, file };
}

/** What is mutated and which tests run: the files of the room, or the one file that was asked for. */
export function filesOf({ name, room, file }) {
  const sources = listFiles(`packages/${name}/src/${room}/${file ?? '**/*'}.ts`);
  if (sources.length === 0) throw new Error(`packages/${name}/src/${room} has no ${file ?? 'files'}`);
  const own = [room, `${room}/**/*`, ...(ALSO[name]?.[room] ?? [])];
  const tests = listFiles(...own.map((one) => `packages/${name}/test/${one}.test.ts`));
  if (tests.length === 0) throw new Error(`packages/${name}/test/${room} has no tests`);
  return { sources, tests };
}
