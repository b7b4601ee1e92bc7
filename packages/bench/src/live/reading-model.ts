import { partText } from '@palimpsest/core';
import type { Script, SimCall, SimRequest } from '@palimpsest/sim';
import { findSchema, followSchema } from './follow-schema.ts';
import { factOf, pathOf } from './make-project.ts';

/** How the agents' tools for reading are called and fed, by the names that they offer them under. */
const TOOLS: readonly [string, (path: string, folder: string) => SimCall['input']][] = [
  ['Read', (path, folder) => ({ file_path: `${folder}/${path}` })],
  ['read', (path, folder) => ({ filePath: `${folder}/${path}`, path })],
  ['read_file', (path, folder) => ({ file_path: `${folder}/${path}`, absolute_path: `${folder}/${path}` })],
  ['exec_command', (path) => ({ cmd: `cat ${path}` })],
  ['shell', (path) => ({ command: ['bash', '-lc', `cat ${path}`] })],
];

/** Only what the tool's own schema knows: agents refuse the rest. */
function pickKnown(input: SimCall['input'], { body }: SimRequest, name: string): SimCall['input'] {
  const found = JSON.stringify(body.tools ?? []);
  const from = found.indexOf(`"name":"${name}"`);
  const about = found.slice(from, from + 4_000);
  return Object.fromEntries(Object.entries(input).filter(([key]) => about.includes(`"${key}"`)));
}

/** Gemini calls without a word: of 44 recorded turns with a call none has words beside it. The others' models say what they do. */
const SILENT: ReadonlySet<string> = new Set<SimRequest['api']>(['gemini']);

/** As the agents ask for what is to stand in the place of their history: "Create a handoff summary", "generate the <state_snapshot>". */
const SUMMARY = /\b(?:create|generate|update|write|provide)\b[^.\n]{0,80}(?:summary|snapshot)/i;

const asksForSummary = ({ messages }: SimRequest): boolean => {
  const last = messages.at(-1);
  return last?.role === 'user' && last.parts.some((part) => part.type === 'text' && SUMMARY.test(partText(part)));
};

/** Files whose values a summary tells: with these it has about a thousand tokens, a third of what recorded ones have. */
const TOLD = 40;

/** What a careful model would write: the user's words, what was found last, and how to go on. */
function writeSummary(prompt: string, read: number): string {
  const told = Array.from({ length: Math.min(read, TOLD) }, (_, i) => read - Math.min(read, TOLD) + i);
  return [
    '## Goal',
    `The user said: "${prompt}"`,
    '## Progress',
    `The first ${read} files are read, in order. The last of them:`,
    ...told.map((n) => `- ${pathOf(n)}: settle${n}(rows), CEILING_${n} = ${factOf(n)}`),
    '## Next',
    `Read ${pathOf(read)}, then the others in order; say when all are read.`,
  ].join('\n');
}

export interface ReadingModel extends Script {
  /** How many files it has read so far. */
  read(): number;
  /** Whether the request of that number was one for a summary. */
  isSummary(n: number): boolean;
}

/** Reads one file after the other with whatever tool for it there is, and says so at the end. */
export function readingModel(folder: string, files: number, prompt: string): ReadingModel {
  let read = 0;
  const summaries = new Set<number>();
  const script: Script = (request) => {
    if (asksForSummary(request)) {
      summaries.add(request.n);
      return { text: writeSummary(prompt, read) };
    }
    const schema = findSchema(request.body);
    if (schema !== undefined) return { text: JSON.stringify(followSchema(schema, 'Each call reads another file.')) };
    const [name, makeInput] = TOOLS.find(([one]) => request.tools.includes(one)) ?? [];
    // Titles, checks and the like have no tools.
    if (name === undefined || makeInput === undefined) return { text: 'Reading the ledger' };
    if (read >= files) return { text: 'All parts are read.' };
    const input = pickKnown(makeInput(pathOf(read), folder), request, name);
    const said = SILENT.has(request.api) ? {} : { text: `Part ${read}.` };
    read++;
    return { thinking: 'The next part.', ...said, calls: [{ name, input }] };
  };
  return Object.assign(script, { read: () => read, isSummary: (n: number) => summaries.has(n) });
}
