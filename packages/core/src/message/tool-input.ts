import { newBriefMemo } from '../brief-memo.ts';
import { isBlank, isFields } from '../json.ts';
import type { Json } from './message.ts';
import { readScript } from './read-script.ts';

/** A tool's input, read without knowing its schema: hosts spell the same field in many ways. */

type Fields = { readonly [key: string]: Json };

const toBareKey = (key: string): string => key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** An input is asked for many spellings in a row; its keys are brought to theirs once. */
const mostKnown = 1_000;
const known = newBriefMemo<Fields, ReadonlyMap<string, Json>>(mostKnown);

function readBareFields(input: Fields): ReadonlyMap<string, Json> {
  let fields = known.get(input);
  if (fields === undefined) {
    // The first of two keys that differ only in spelling counts.
    fields = new Map(
      Object.entries(input)
        .reverse()
        .map(([key, value]) => [toBareKey(key), value]),
    );
    known.set(input, fields);
  }
  return fields;
}

/** The field called `bare` (lower case, no `_` or `-`), however the host spells it. */
export const readField = (input: Json | undefined, bare: string): Json | undefined =>
  isFields(input) ? readBareFields(input).get(bare) : undefined;

/** Whether the field is there and says something. */
export const hasField = (input: Json, bare: string): boolean => {
  const value = readField(input, bare);
  return value !== undefined && value !== null && value !== '';
};

/** The first of the fields that holds a text. */
export const readText = (input: Json | undefined, ...bares: readonly string[]): string | undefined => {
  for (const bare of bares) {
    const value = readField(input, bare);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
};

/** The first of the fields that holds a number. */
export const readNumber = (input: Json | undefined, ...bares: readonly string[]): number | undefined => {
  for (const bare of bares) {
    const value = readField(input, bare);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return undefined;
};

const pathKeys = [
  'filepath',
  'path',
  'notebookpath',
  'absolutepath',
  'targetfile',
  'filename',
  'file',
  'relativepath',
  'relativeworkspacepath',
  'abspath',
  'fullpath',
  'uri',
];
const pathListKeys = ['paths', 'files', 'filepaths'];

/** One spelling for one file: `./a//b/../c.ts` and `file:///a/c.ts` lose their detours; drives keep their letter. */
export function normalizePath(path: string): string {
  let plain = path.trim().replace(/^file:\/\/(?=\/)/, '');
  if (/^[A-Za-z]:\\|^\\\\/.test(plain)) plain = plain.replaceAll('\\', '/');
  if (!/\/\/|(?:^|\/)\.{1,2}(?:\/|$)|.\/$/.test(plain)) return plain;
  const kept: string[] = [];
  for (const step of plain.split('/')) {
    if (step === '' || step === '.') continue;
    const last = kept.at(-1);
    if (step === '..' && last !== undefined && last !== '..') kept.pop();
    else if (step !== '..' || !plain.startsWith('/')) kept.push(step);
  }
  return (plain.startsWith('/') ? '/' : '') + kept.join('/') || '.';
}

/** Every path an input names in a field meant for paths, normalized, each once. */
export function readPaths(input: Json): readonly string[] {
  const found = new Set<string>();
  const add = (value: Json | undefined): void => {
    if (typeof value === 'string' && !isBlank(value) && value.length < 1000 && !value.includes('\n')) {
      found.add(normalizePath(value));
    }
  };
  for (const key of pathKeys) add(readField(input, key));
  for (const key of pathListKeys) {
    const list = readField(input, key);
    if (Array.isArray(list))
      for (const item of list as readonly Json[]) add(isFields(item) ? readText(item, ...pathKeys) : item);
    else add(list);
  }
  return [...found];
}

/** The first of those paths. */
export const readPath = (input: Json): string | undefined => readPaths(input)[0];

/** The command line of a shell call; `["bash", "-lc", "make"]` is `make`. Of a script all that it runs, line by line. */
export function readCommand(input: Json): string | undefined {
  if (typeof input === 'string') {
    const calls = readScript(input);
    const plain = calls.length === 0 ? input : calls.flatMap((call) => readCommandOf(call.input) ?? []).join('\n');
    return isBlank(plain) ? undefined : plain.trim();
  }
  return readCommandOf(input);
}

function readCommandOf(input: Json): string | undefined {
  for (const key of ['command', 'cmd', 'commandline', 'shellcommand', 'script']) {
    const value = readField(input, key);
    if (typeof value === 'string' && !isBlank(value)) return value.trim();
    if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) continue;
    const [shell = '', flag = '', script] = value;
    const isWrapped = /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag);
    return ((isWrapped ? script : undefined) ?? value.join(' ')).trim();
  }
  return undefined;
}

const statusWords =
  /^(?:pending|todo|open|not[-_ ]?started|in[-_ ]?progress|doing|active|completed?|done|cancell?ed|blocked|skipped|failed)$/i;

/** Whether the input is a todo or plan list. */
export const isTaskList = (input: Json): boolean => readTasks(input).length > 0;

/** The items of a todo or plan list: those with words and a state. */
export function readTasks(input: Json): readonly { readonly text: string; readonly status: string }[] {
  for (const key of ['todos', 'plan', 'items', 'todolist', 'tasks', 'tasklist', 'steps']) {
    const list = readField(input, key);
    if (!Array.isArray(list)) continue;
    const items = list.flatMap((item: Json) => {
      const words = readText(item, 'content', 'step', 'title', 'subject', 'description', 'text', 'task', 'name');
      const status = readText(item, 'status', 'state');
      return words !== undefined && status !== undefined && statusWords.test(status) ? [{ text: words, status }] : [];
    });
    if (items.length > 0) return items;
  }
  return [];
}
