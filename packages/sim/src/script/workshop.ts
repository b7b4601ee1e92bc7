import { asNumber, asString, type Fields } from '@palimpsest/core/json';
import { roll } from '../random.ts';
import type { Folder } from './folder.ts';

/** A tool as a host declares it to any vendor. */
export interface SimTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly schema: {
    readonly type: 'object';
    readonly properties: Readonly<
      Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>
    >;
    readonly required: readonly string[];
  };
}

/** The host's side of a test: tools to declare, and what runs them. */
export interface Workshop {
  readonly tools: readonly SimTool[];
  /** Does what a call asks for. What goes wrong is told as text, as tools do. */
  run(name: string, input: Fields): string;
}

const PAGE_LINES = 80;
const MOST_HITS = 40;

const field = (type: 'string' | 'integer', description: string) => ({ type, description });
const tool = (name: string, description: string, properties: SimTool['schema']['properties'], required: string[]) => ({
  name,
  description,
  schema: { type: 'object' as const, properties, required },
});

const path = field('string', 'Path of a file, relative to the folder.');

/** The tools of every workshop; `run` knows the commands check, count and notes, and no shell. */
export const TOOLS: readonly SimTool[] = [
  tool('list', 'Lists the files below a folder.', { path: field('string', 'A folder; "." for all.') }, ['path']),
  tool(
    'read',
    `Reads ${PAGE_LINES} lines of a file.`,
    { path, offset: field('integer', 'The first line to read, from 1.') },
    ['path'],
  ),
  tool('grep', 'Finds lines that contain a text.', { text: field('string', 'The text to look for.') }, ['text']),
  tool(
    'edit',
    'Replaces the first occurrence of a text in a file.',
    { path, find: field('string', 'What to replace.'), replace: field('string', 'What to put there.') },
    ['path', 'find', 'replace'],
  ),
  tool('run', 'Runs one of the commands: check, count, notes.', { command: field('string', 'The command.') }, [
    'command',
  ]),
];

/** The tools over a folder. No shell: `run` knows three commands that say the same every time. */
export function createWorkshop(folder: Folder): Workshop {
  return {
    tools: TOOLS,
    run(name, input) {
      const readText = (key: string): string => asString(input[key]) ?? '';
      switch (name) {
        case 'list':
          return listFiles(folder, readText('path'));
        case 'read':
          return readPage(folder, readText('path'), Math.max(1, asNumber(input.offset) ?? 1));
        case 'grep':
          return findLines(folder, readText('text'));
        case 'edit':
          return editFile(folder, readText('path'), readText('find'), readText('replace'));
        case 'run':
          return runCommand(folder, readText('command'));
        default:
          return `Error: there is no tool "${name}".`;
      }
    },
  };
}

function listFiles(folder: Folder, below: string): string {
  const base = below === '.' || below === '' ? '' : below.replace(/\/?$/, '/');
  const found = folder.paths().filter((one) => one.startsWith(base));
  return found.length === 0 ? `No files below ${below}.` : found.join('\n');
}

function readPage(folder: Folder, at: string, offset: number): string {
  const text = folder.read(at);
  if (text === undefined) return `Error: no readable file at ${at}.`;
  const lines = text.split('\n');
  const shown = lines.slice(offset - 1, offset - 1 + PAGE_LINES);
  const body = shown.map((line, i) => `${String(offset + i).padStart(5)}\t${line}`).join('\n');
  const left = lines.length - (offset - 1 + shown.length);
  return left > 0 ? `${body}\n(${left} lines more)` : body || '(empty)';
}

function findLines(folder: Folder, needle: string): string {
  const hits: string[] = [];
  for (const at of folder.paths()) {
    if (hits.length >= MOST_HITS) break;
    (folder.read(at) ?? '').split('\n').forEach((line, i) => {
      if (hits.length < MOST_HITS && line.includes(needle)) hits.push(`${at}:${i + 1}:${line.trim().slice(0, 200)}`);
    });
  }
  return hits.length === 0 ? `No line contains "${needle}".` : hits.join('\n');
}

function editFile(folder: Folder, at: string, find: string, replace: string): string {
  const text = folder.read(at);
  if (text === undefined) return `Error: no readable file at ${at}.`;
  if (find === '' || !text.includes(find)) return `Error: ${at} does not contain the text to replace.`;
  folder.write(
    at,
    text.replace(find, () => replace),
  );
  return `Replaced one occurrence in ${at}.`;
}

function runCommand(folder: Folder, command: string): string {
  if (command === 'count')
    return folder
      .paths()
      .map((at) => `${(folder.read(at) ?? '').split('\n').length}\t${at}`)
      .join('\n');
  if (command === 'notes') return findLines(folder, '/**');
  if (command !== 'check') return `Error: unknown command "${command}"; there are check, count, notes.`;
  const lines = folder.paths().map((at) => {
    const text = folder.read(at) ?? '';
    return `${roll(at, text.length) < 0.05 ? 'FAIL' : 'ok  '} ${at} (${text.length} characters)`;
  });
  const failed = lines.filter((line) => line.startsWith('FAIL')).length;
  return `${lines.join('\n')}\n${lines.length - failed} passed, ${failed} failed`;
}
