import type { CallPart, Json, Message, ResultPart } from '@palimpsest/core';
import { collapseSpace, readMessage, readPart } from './message-text.ts';
import { readTodoItems, type TodoItem } from './todo-items.ts';

/** Where the work stood, in texts of the recording. What the recording does not have is left out. */
export interface Frontier {
  /** The lines of the newest request. */
  readonly request?: readonly string[];
  readonly todos?: readonly TodoItem[];
  /** The names of the files edited last. */
  readonly edits?: readonly string[];
  /** The command run last, and the lines that it printed. */
  readonly command?: { readonly text: string; readonly output: readonly string[] };
  /** The end of what the agent said last, and its last call: one of them tells the next action. Words of one entry share a line. */
  readonly next?: readonly (readonly string[])[];
}

export const FRONTIER_PARTS = ['request', 'todos', 'edits', 'command', 'next'] as const;
export type FrontierPart = (typeof FRONTIER_PARTS)[number];

/** "yes" or "go on" is no request. */
const MIN_REQUEST_CHARS = 12;
/** Of a long text its beginning must stand. */
const REQUEST_CHARS = 200;
const START_CHARS = 40;
const MIN_LINE_CHARS = 12;
const LAST_EDITS = 3;

const cutStart = (text: string, chars = START_CHARS): string => collapseSpace(text).slice(0, chars).trim();
const listLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(collapseSpace)
    .filter((line) => line !== '');

const fieldOf = (input: Json, names: readonly string[]): string | undefined => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const fields = input as Readonly<Record<string, Json>>;
  return names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '') as
    | string
    | undefined;
};

const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
const CONTENT_FIELDS = [
  'old_string',
  'oldString',
  'old_str',
  'oldText',
  'new_string',
  'newString',
  'new_str',
  'content',
  'file_text',
  'diff',
  'edits',
];

/** The names of the files that a call changes: known by what it carries, not by the name of its tool. */
function listEdited({ input }: CallPart): readonly string[] {
  const path = fieldOf(input, ['file_path', 'filePath', 'path']);
  const patch = typeof input === 'string' ? input : (fieldOf(input, ['patchText', 'patch', 'input']) ?? '');
  const isWrite = path !== undefined && CONTENT_FIELDS.some((name) => name in (input as object));
  const paths = isWrite ? [path] : [...patch.matchAll(PATCHED)].map(([, file = '']) => file);
  return paths.map((file) => file.trim().split(/[\\/]/).at(-1) ?? '').filter((name) => name !== '');
}

/** The first line of a command, without comments and without the folder that it is run in. */
function readCommand({ input }: CallPart): string | undefined {
  const line = fieldOf(input, ['command', 'cmd']);
  const own = (line ?? '').replace(/^(?:\s*#.*\n|\s*cd \S+\s*(?:&&|;|\n)\s*)+/, '');
  const text = cutStart(own.trim().split('\n')[0] ?? '');
  return text === '' ? undefined : text;
}

/** What a call is known by: its command, or its tool with the name of its file or the start of what it asks for. */
function describeCall(call: CallPart): readonly string[] {
  const command = readCommand(call);
  if (command !== undefined) return [command];
  const path = fieldOf(call.input, ['file_path', 'filePath', 'path'])?.split(/[\\/]/).at(-1);
  return [call.tool, path ?? cutStart(listLines(readPart(call))[0] ?? '')];
}

export function readFrontier(messages: readonly Message[]): Frontier {
  const parts = messages.flatMap((message) => message.parts);
  const calls = parts.filter((part): part is CallPart => part.type === 'call');
  const readTyped = ({ origin, parts: own }: Message): string =>
    origin === 'human'
      ? own
          .map((part) => (part.type === 'text' ? part.text : ''))
          .join('\n')
          .trim()
      : '';
  const request = messages.map(readTyped).findLast((text) => text.length >= MIN_REQUEST_CHARS);
  const todos = readTodoItems(messages);
  const edits = [...new Set(calls.flatMap(listEdited).reverse())].slice(0, LAST_EDITS);
  const lastRun = calls.findLast((call) => readCommand(call) !== undefined);
  const command = lastRun === undefined ? undefined : readCommand(lastRun);
  const printed = parts.find((part): part is ResultPart => part.type === 'result' && part.callId === lastRun?.callId);
  const lastSaid = messages.findLast(
    ({ role, parts: own }) =>
      role === 'assistant' && own.some((part) => part.type === 'text' && part.text.trim() !== ''),
  );
  const said = lastSaid?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
  const lastCall = calls.at(-1);
  const lastLine = cutStart(listLines(said).at(-1) ?? '');
  const next = [
    ...(lastLine.length < MIN_LINE_CHARS ? [] : [[lastLine]]),
    ...(lastCall === undefined ? [] : [describeCall(lastCall)]),
  ];
  return {
    ...(request === undefined ? {} : { request: listLines(request.slice(0, REQUEST_CHARS)) }),
    ...(todos.length === 0 ? {} : { todos }),
    ...(edits.length === 0 ? {} : { edits }),
    ...(command === undefined
      ? {}
      : {
          command: {
            text: command,
            output: listLines(printed === undefined ? '' : readPart(printed)).map((line) => cutStart(line)),
          },
        }),
    ...(next.length === 0 ? {} : { next }),
  };
}

const DONE_MARK = /\[x\]|[✓✔☑]|\b(?:done|completed?)\b/i;
const OUTCOME_MARK = /[✓✔✗✘]|\b(?:ok|passed|failed|error|exit(?: code)? \d+)\b/i;

/** The lines of a text, and the objects of a list in JSON, each with the heading above it. */
function listHeaded(text: string): readonly { readonly line: string; readonly above: string }[] {
  let above = '';
  return listLines(text.replace(/\},\s*\{/g, '},\n{')).map((line) => {
    if (/^#+ |^[\w ()]+:$/.test(line)) above = line;
    return { line, above };
  });
}

/** Of each part that the recording has, whether the text holds it, or the tail that the model sees behind the text. */
export function holdsFrontier(
  frontier: Frontier,
  text: string,
  tail: readonly Message[] = [],
): Readonly<Partial<Record<FrontierPart, boolean>>> {
  const { request, todos, edits, command, next } = frontier;
  const shown = [text, ...tail.map(readMessage)].join('\n');
  const flat = collapseSpace(shown);
  const lines = listHeaded(shown);
  const inTail = readTodoItems(tail);
  const isMarked = (wanted: string, mark: RegExp): boolean =>
    lines.some(({ line, above }) => line.includes(wanted) && mark.test(`${line.replace(wanted, ' ')} ${above}`));
  const isInOneLine = (words: readonly string[]): boolean =>
    lines.some(({ line }) => words.every((word) => line.includes(word)));
  // Every open item stands as open, and the newest that is done as done, if it is all that tells of the list.
  const holdsTodo = ({ text: item, isDone }: TodoItem): boolean => {
    const wanted = cutStart(item);
    if (inTail.some((one) => one.text === item && one.isDone === isDone)) return true;
    return flat.includes(wanted) && isMarked(wanted, DONE_MARK) === isDone;
  };
  const open = todos?.filter(({ isDone }) => !isDone) ?? [];
  return {
    ...(request === undefined ? {} : { request: request.every((line) => flat.includes(line)) }),
    ...(todos === undefined ? {} : { todos: (open.length > 0 ? open : todos.slice(-1)).every(holdsTodo) }),
    ...(edits === undefined ? {} : { edits: edits.every((name) => flat.includes(name)) }),
    ...(command === undefined
      ? {}
      : {
          command:
            flat.includes(command.text) &&
            (isMarked(command.text, OUTCOME_MARK) ||
              command.output.length === 0 ||
              command.output.some((line) => line.length >= MIN_LINE_CHARS && flat.includes(line))),
        }),
    ...(next === undefined ? {} : { next: next.some(isInOneLine) }),
  };
}
