import { readPatch } from './read-patch.ts';
import { normalizePath } from './tool-input.ts';

/** What a call did to a file. */
export type FileAct = 'read' | 'edited' | 'created' | 'deleted';

/** What one call does to one file. */
export interface Touch {
  readonly path: string;
  readonly act: FileAct;
  /** The number of the first line that it shows; 0 where it shows all. */
  readonly firstLine?: number;
}

const heredoc = /<<-?\s*(["']?)(\w+)\1[^\n]*\n[\s\S]*?\n[ \t]*\2(?=\s|$)/g;
const wordOrBreak = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(&&|\|\||[|;\n]|\d?>>?|<)|((?:[^\s"'|;<>&\\]|\\.|&(?!&))+)/g;
const breaks = new Set(['&&', '||', '|', ';', '\n']);
const readers = new Set(['cat', 'head', 'tail', 'less', 'more', 'nl', 'bat', 'wc']);

const looksLikeFile = (word: string): boolean =>
  word.length < 300 &&
  !word.startsWith('/dev/') &&
  /[\w]/.test(word) &&
  !/[*?{}$()=\n`]/.test(word) &&
  !word.startsWith('-') &&
  /[./]/.test(word) &&
  !/^\d+$/.test(word);

/** The files that a command line reads, writes, moves or deletes, by the everyday commands that do so. */
export function readShellTouches(command: string, cwd?: string): readonly Touch[] {
  if (command.length > 20_000) return [];
  if (command.includes('*** Begin Patch'))
    return readPatch(command).map((touch) => ({ ...touch, path: resolveIn(cwd, touch.path) }));
  const touches: Touch[] = [];
  let folder = cwd;
  let words: string[] = [];
  let pending: '>' | '>>' | undefined;
  const endCommand = (): void => {
    if (words[0] === 'cd' && words[1] !== undefined) folder = resolveIn(folder, words[1]);
    else for (const touch of readCommandTouches(words)) touches.push({ ...touch, path: resolveIn(folder, touch.path) });
    words = [];
  };
  for (const match of command.replace(heredoc, ' ').matchAll(wordOrBreak)) {
    const mark = match[3];
    const word = match[1] ?? match[2] ?? match[4];
    if (mark !== undefined) {
      if (breaks.has(mark)) endCommand();
      pending = mark.endsWith('>>') ? '>>' : mark.endsWith('>') && !mark.startsWith('2') ? '>' : undefined;
    } else if (pending !== undefined && word !== undefined) {
      if (looksLikeFile(word)) {
        touches.push({ path: resolveIn(folder, word), act: pending === '>' ? 'created' : 'edited' });
      }
      pending = undefined;
    } else if (word !== undefined) words.push(word);
  }
  endCommand();
  return touches;
}

const resolveIn = (folder: string | undefined, path: string): string =>
  folder === undefined || /^[/~]|^[A-Za-z]:/.test(path) ? normalizePath(path) : normalizePath(`${folder}/${path}`);

function readCommandTouches(words: readonly string[]): readonly Touch[] {
  const [first, ...rest] = words[0] === 'sudo' || words[0] === 'git' ? words.slice(1) : words;
  const files = rest.filter(looksLikeFile);
  const [source] = files;
  const last = files.at(-1);
  if (first === undefined || source === undefined || last === undefined) return [];
  if (words[0] === 'git' && first !== 'mv' && first !== 'rm') return [];
  if (readers.has(first)) return files.map((path) => ({ path, act: 'read' }));
  switch (first) {
    case 'sed': {
      if (rest.some((word) => /^-i|^--in-place/.test(word))) return [{ path: last, act: 'edited' }];
      const first = rest.map((word) => /^(\d+),\d+p$/.exec(word)?.[1]).find((found) => found !== undefined);
      return [
        first === undefined ? { path: last, act: 'read' } : { path: last, act: 'read', firstLine: Number(first) },
      ];
    }
    case 'rm':
      return files.map((path) => ({ path, act: 'deleted' }));
    case 'mv':
      return files.length < 2
        ? []
        : [
            { path: source, act: 'deleted' },
            { path: last, act: 'created' },
          ];
    case 'cp':
      return files.length < 2 ? [] : [{ path: last, act: 'created' }];
    case 'touch':
      return files.map((path) => ({ path, act: 'created' }));
    case 'tee':
      return files.map((path) => ({ path, act: rest.includes('-a') ? 'edited' : 'created' }));
    default:
      return [];
  }
}
