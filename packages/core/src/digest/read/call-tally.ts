import type { CallPart } from '../../message/message.ts';
import { readPath, readText } from '../../message/tool-input.ts';
import { toolKind, toolTargets } from '../../message/tool-kinds.ts';
import { toOneLine } from '../choose/item.ts';
import { readCommandLine } from '../evidence/command-line.ts';
import type { CommandEvidence, ErrorEvidence, Evidence, Outcome, Refusal } from '../evidence/evidence.ts';
import { keepNewest } from '../evidence/keep-newest.ts';
import { shorten } from '../evidence/shorten.ts';
import { newCommandTally } from './command-tally.ts';
import { newFileTally, readTouches } from './file-tally.ts';
import { findErrorLines, isRefusal, onlyShows, readOutcome } from './read-outcome.ts';
import { newTodoTally } from './todo-tally.ts';

const most = { errors: 200, refusals: 50, sourceChars: 120, aboutChars: 40, planChars: 8_000 };

type CallEvidence = Pick<
  Evidence,
  'refusals' | 'todos' | 'plan' | 'files' | 'commands' | 'errors' | 'lastCall' | 'open'
>;

/** What calls and their results tell, added up. */
export interface CallTally {
  addCall(part: CallPart): void;
  /** A command that was written as text. Only what answers it tells that it was run, and not just shown. */
  addWritten(part: CallPart): void;
  isOpen(callId: string): boolean;
  /** The file or the command that a call without a result yet is about; empty where there is none. */
  aboutOf(callId: string): string;
  /** `output` without its secrets. Results without a call say nothing about any. */
  addResult(callId: string, output: string, isError: boolean, at: number): void;
  /** The user spoke: what was not answered until now will not be. */
  endTurn(at: number): void;
  toEvidence(): CallEvidence;
}

/** Continues from what earlier calls told. Results pair with calls by id, the newest call first. */
export function newCallTally(previous: CallEvidence): CallTally {
  const files = newFileTally(previous.files);
  const commands = newCommandTally(previous.commands);
  const todos = newTodoTally(previous.todos, previous.plan);
  const refusals: Refusal[] = [...previous.refusals];
  const errors: ErrorEvidence[] = [...previous.errors];
  const open = new Map(previous.open.map((part) => [part.callId, part]));
  let lastCall = previous.lastCall;

  const settleCall = (part: CallPart, output: string, isError: boolean, at: number): void => {
    const kind = toolKind(part.tool, part.input);
    const command = readCommandLine(part);
    const { outcome, exitCode } = kind === 'shell' ? readOutcome(output, isError) : outcomeByFlag(isError);
    const what = command ?? describeCall(part);
    if (kind !== 'todo') lastCall = { tool: part.tool, what, outcome };
    if (isRefusal(output, isError)) {
      refusals.push({ tool: part.tool, what, at });
      return;
    }
    if (command !== undefined) commands.addRun(command, outcome, exitCode, at);
    if (outcome === 'ok') {
      todos.addCall(kind, part.tool, part.input, output);
      for (const touch of readTouches(kind, part.tool, part.input, command)) files.addTouch(touch, at);
    }
    if (outcome === 'ok' && kind !== 'shell') return;
    const source = shorten(what, most.sourceChars);
    const shows = command !== undefined && onlyShows(command);
    if (outcome === 'ok' && shows) return;
    for (const text of findErrorLines(output, outcome === 'failed', shows))
      errors.push({ text, source, gone: false, at });
  };

  return {
    addCall(part) {
      open.delete(part.callId);
      open.set(part.callId, part);
      // The list of tasks is told by itself, as it stands.
      if (toolKind(part.tool, part.input) === 'todo') return;
      lastCall = { tool: part.tool, what: readCommandLine(part) ?? describeCall(part), outcome: 'pending' };
    },
    addWritten(part) {
      open.set(part.callId, part);
    },
    isOpen: (callId) => open.has(callId),
    aboutOf(callId) {
      const part = open.get(callId);
      return part === undefined ? '' : describeAbout(part);
    },
    addResult(callId, output, isError, at) {
      const part = open.get(callId);
      if (part === undefined) return;
      open.delete(callId);
      settleCall(part, output, isError, at);
    },
    endTurn(at) {
      for (const part of open.values()) {
        const command = part.callId === '' ? undefined : readCommandLine(part);
        if (command !== undefined) commands.addRun(command, 'pending', undefined, at);
      }
      open.clear();
    },
    toEvidence() {
      const run = commands.toEvidence();
      const plan = todos.plan;
      return {
        refusals: refusals.slice(-most.refusals),
        todos: todos.toEvidence(),
        ...(plan === undefined ? {} : { plan: shorten(plan, most.planChars) }),
        files: files.toEvidence(),
        commands: run,
        errors: markGone(keepNewest(errors).slice(-most.errors), run),
        ...(lastCall === undefined ? {} : { lastCall }),
        open: [...open.values()],
      };
    },
  };
}

/** An error is gone where the command that showed it went well later. */
function markGone(errors: readonly ErrorEvidence[], commands: readonly CommandEvidence[]): readonly ErrorEvidence[] {
  const bySource = new Map(commands.map((one) => [shorten(one.command, most.sourceChars), one]));
  return errors.map((error) => {
    const again = bySource.get(error.source);
    return { ...error, gone: again !== undefined && again.outcome === 'ok' && again.at > error.at };
  });
}

const outcomeByFlag = (isError: boolean): { readonly outcome: Outcome; readonly exitCode?: number } => ({
  outcome: isError ? 'failed' : 'ok',
});

/** What the lines of a call and of its result stand in. */
export function describeAbout(part: CallPart): string {
  const command = readCommandLine(part);
  if (command !== undefined)
    return shorten(
      `$ ${command
        .replace(/\s+/g, ' ')
        .replace(/^(?: ?cd \S+ ?(?:&&|;))+/, '')
        .trim()}`,
      most.aboutChars,
    );
  const [file] = toolTargets(part.tool, part.input);
  return toOneLine(file ?? readPath(part.input) ?? part.tool);
}

/** A call in a few words: what it names, else its input. */
function describeCall({ tool, input }: CallPart): string {
  const named = toolTargets(tool, input).join(' ') || (readPath(input) ?? '');
  const about = named || readText(input, 'pattern', 'query', 'url', 'description', 'skill', 'subject');
  const isEmpty = typeof input === 'object' && input !== null && Object.keys(input).length === 0;
  return shorten(about ?? (isEmpty ? tool : JSON.stringify(input)), 160).replace(/\s+/g, ' ');
}
