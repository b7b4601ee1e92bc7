import { headEnd } from '../ledger/excerpt.ts';
import type { CallPart } from '../message/message.ts';
import type { FileAct, Touch } from '../message/read-shell-touches.ts';
import { readTouches } from '../message/read-touches.ts';
import { readCommand, readPath, readText } from '../message/tool-input.ts';
import { type ToolKind, toolKind, toolTargets } from '../message/tool-kinds.ts';
import { cutHead } from '../text.ts';
import { findErrorLines, isRefusal, type Outcome, onlyShows, readOutcome } from './outcome.ts';
import { newTodoList, type Todo } from './todo-list.ts';

/** What was done with one file, all calls together. */
export interface FileState {
  readonly path: string;
  reads: number;
  edits: number;
  /** What was last done to it, reading aside. */
  state: FileAct;
  at: number;
}

/** A shell command, all its runs together; the outcome is of the last one. */
export interface CommandState {
  readonly command: string;
  readonly runs: number;
  readonly outcome: Outcome;
  readonly exitCode: number | undefined;
  readonly at: number;
}

/** An error that a tool or a command showed, by its exact line. */
export interface ErrorState {
  readonly text: string;
  readonly source: string;
  readonly at: number;
}

/** What a user asked for, and where it was answered. */
export interface Request {
  readonly text: string;
  readonly at: number;
  answeredAt?: number;
}

/** A call and how it went. */
export interface Called {
  readonly part: CallPart;
  readonly kind: ToolKind;
  readonly command: string | undefined;
  readonly what: string;
  readonly at: number;
  outcome: Outcome;
}

/** Where the work stands. */
export interface Work {
  readonly requests: readonly Request[];
  readonly refusals: readonly string[];
  readonly files: ReadonlyMap<string, FileState>;
  readonly commands: ReadonlyMap<string, CommandState>;
  readonly errors: ReadonlyMap<string, ErrorState>;
  readonly open: ReadonlyMap<string, Called>;
  readonly todos: readonly Todo[];
  readonly plan: string | undefined;
  readonly lastCall: Called | undefined;
  readonly lastSaid: { readonly text: string; readonly at: number } | undefined;
  request(text: string, at: number): void;
  say(text: string, at: number): void;
  call(part: CallPart, at: number): Called;
  /** Answers the call, and what it did to files; undefined where no call waits for it. */
  answer(
    callId: string,
    output: string,
    isError: boolean,
  ): { readonly called: Called; readonly touches: readonly Touch[] } | undefined;
}

const COMMAND_CHARS = 2_000;
const SAID_CHARS = 2_000;

/** The start of a text, up to a sensible end, marked where it was cut. */
export const shorten = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, headEnd(text, chars - 1)).trimEnd()}…`;

export function newWork(): Work {
  const requests: Request[] = [];
  const refusals: string[] = [];
  const files = new Map<string, FileState>();
  const commands = new Map<string, CommandState>();
  const errors = new Map<string, ErrorState>();
  const open = new Map<string, Called>();
  const todos = newTodoList();
  let lastCall: Called | undefined;
  let lastSaid: Work['lastSaid'];

  function touch({ path, act }: Touch, at: number): void {
    const file = files.get(path) ?? { path, reads: 0, edits: 0, state: 'read', at };
    files.delete(path);
    files.set(path, file);
    file.at = at;
    if (act === 'read') {
      file.reads++;
      if (file.state === 'deleted') file.state = 'read';
      return;
    }
    file.edits++;
    // Writing a file that was read before is an edit; a file made here stays made here until it is deleted.
    if (act === 'deleted') file.state = 'deleted';
    else if (file.state !== 'created') file.state = act === 'created' && file.reads > 0 ? 'edited' : act;
  }

  function run(command: string, outcome: Outcome, exitCode: number | undefined, at: number): void {
    const short = cutHead(command, COMMAND_CHARS);
    const key = short.replace(/\s+/g, ' ').trim();
    const runs = (commands.get(key)?.runs ?? 0) + 1;
    commands.delete(key);
    commands.set(key, { command: short, runs, outcome, exitCode, at });
    // What went well has no errors any more, nor has a part of it.
    if (outcome === 'ok')
      for (const [text, { source }] of errors) if (source === key || source.startsWith(`${key} `)) errors.delete(text);
  }

  return {
    requests,
    refusals,
    files,
    commands,
    errors,
    open,
    get todos() {
      return todos.list;
    },
    get plan() {
      return todos.plan;
    },
    get lastCall() {
      return lastCall;
    },
    get lastSaid() {
      return lastSaid;
    },
    request(text, at) {
      // What was not answered until now will not be.
      for (const { command, at: since } of open.values())
        if (command !== undefined) run(command, 'pending', undefined, since);
      open.clear();
      const before = requests.at(-1);
      if (before !== undefined && lastSaid !== undefined && lastSaid.at > before.at) before.answeredAt ??= lastSaid.at;
      requests.push({ text, at });
    },
    say(text, at) {
      lastSaid = { text: shorten(text.trim(), SAID_CHARS), at };
    },
    call(part, at) {
      const kind = toolKind(part.tool, part.input);
      const command = kind === 'shell' ? readCommand(part.input) : undefined;
      const called: Called = { part, kind, command, what: command ?? describeCall(part), at, outcome: 'pending' };
      open.delete(part.callId);
      open.set(part.callId, called);
      // The list of tasks is told by itself, as it stands.
      if (kind !== 'todo') lastCall = called;
      return called;
    },
    answer(callId, output, isError) {
      const called = open.get(callId);
      if (called === undefined) return undefined;
      open.delete(callId);
      const { part, kind, command, what, at } = called;
      const { outcome, exitCode = undefined } =
        kind === 'shell' ? readOutcome(output, isError) : ({ outcome: isError ? 'failed' : 'ok' } as const);
      called.outcome = outcome;
      if (isRefusal(output, isError)) {
        refusals.push(`${part.tool} ${what}`);
        return { called, touches: [] };
      }
      if (command !== undefined) run(command, outcome, exitCode, at);
      if (outcome === 'ok') todos.change(kind, part.tool, part.input, output);
      const touches = outcome === 'ok' ? readTouches(kind, part.tool, part.input, command) : [];
      for (const one of touches) touch(one, at);
      const shows = command !== undefined && onlyShows(command);
      if (outcome === 'failed' || (kind === 'shell' && !shows))
        for (const text of findErrorLines(output, outcome === 'failed', shows)) {
          errors.delete(text);
          errors.set(text, { text, source: what.replace(/\s+/g, ' ').trim(), at });
        }
      return { called, touches };
    },
  };
}

/** A call in a few words: what it names, else its input. */
function describeCall({ tool, input }: CallPart): string {
  const named = toolTargets(tool, input).join(' ') || (readPath(input) ?? '');
  const about = named || readText(input, 'pattern', 'query', 'url', 'description', 'skill', 'subject');
  const isEmpty = typeof input === 'object' && input !== null && Object.keys(input).length === 0;
  return shorten(about ?? (isEmpty ? tool : JSON.stringify(input)), 160).replace(/\s+/g, ' ');
}
