import type { CallPart } from '../../message/message.ts';
import { redact } from '../../message/redact.ts';
import { commandOf, pathOf, textField } from '../../message/tool-input.ts';
import { toolKind, toolTargets } from '../../message/tool-kinds.ts';
import type { ErrorEvidence, Evidence, Outcome, Refusal } from '../evidence/evidence.ts';
import { newestOf } from '../evidence/newest-of.ts';
import { commandLedger } from './command-tally.ts';
import { shorten } from './conclusion-tally.ts';
import { fileLedger, touchesOf } from './file-tally.ts';
import { errorLines, isRefusal, outcomeOf } from './outcome.ts';
import { todoLedger } from './todo-tally.ts';

const most = { errors: 200, refusals: 50, sourceChars: 120, planChars: 8_000 };

type CallEvidence = Pick<
  Evidence,
  'refusals' | 'todos' | 'plan' | 'files' | 'commands' | 'errors' | 'lastCall' | 'open'
>;

export interface CallLedger {
  called(part: CallPart): void;
  isOpen(callId: string): boolean;
  /** `output` without its secrets. Results without a call say nothing about any. */
  answered(callId: string, output: string, isError: boolean, at: number): void;
  /** The user spoke: what was not answered until now will not be. */
  turnEnded(at: number): void;
  done(): CallEvidence;
}

/** What calls and their results tell: files, commands, errors, todos, refusals. Pairs by id, the newest call first. */
export function callLedger(previous: CallEvidence): CallLedger {
  const files = fileLedger(previous.files);
  const commands = commandLedger(previous.commands);
  const todos = todoLedger(previous.todos, previous.plan);
  const refusals: Refusal[] = [...previous.refusals];
  const errors: ErrorEvidence[] = [...previous.errors];
  const open = new Map(previous.open.map((part) => [part.callId, part]));
  let lastCall = previous.lastCall;

  const settle = (part: CallPart, output: string, isError: boolean, at: number): void => {
    const kind = toolKind(part.tool, part.input);
    const command = commandLine(part);
    const { outcome, exitCode } = kind === 'shell' ? outcomeOf(output, isError) : outcomeByFlag(isError);
    const what = command ?? describe(part);
    lastCall = { tool: part.tool, what, outcome };
    if (isRefusal(output, isError)) {
      refusals.push({ tool: part.tool, what, at });
      return;
    }
    if (command !== undefined) commands.ran(command, outcome, exitCode, at);
    if (outcome === 'ok') {
      todos.did(kind, part.tool, part.input, output);
      for (const touch of touchesOf(kind, part.tool, part.input, command)) files.add(touch, at);
    }
    if (outcome === 'ok' && kind !== 'shell') return;
    const source = shorten(what, most.sourceChars);
    for (const text of errorLines(output, outcome === 'failed')) errors.push({ text, source, gone: false, at });
  };

  return {
    called(part) {
      open.delete(part.callId);
      open.set(part.callId, part);
      lastCall = { tool: part.tool, what: commandLine(part) ?? describe(part), outcome: 'pending' };
    },
    isOpen: (callId) => open.has(callId),
    answered(callId, output, isError, at) {
      const part = open.get(callId);
      if (part === undefined) return;
      open.delete(callId);
      settle(part, output, isError, at);
    },
    turnEnded(at) {
      for (const part of open.values()) {
        const command = commandLine(part);
        if (command !== undefined) commands.ran(command, 'pending', undefined, at);
      }
      open.clear();
    },
    done() {
      const run = commands.done();
      const bySource = new Map(run.map((one) => [shorten(one.command, most.sourceChars), one]));
      const plan = todos.plan;
      return {
        refusals: refusals.slice(-most.refusals),
        todos: todos.done().map((todo) => ({ ...todo, text: redact(todo.text) })),
        ...(plan === undefined ? {} : { plan: shorten(redact(plan), most.planChars) }),
        files: files.done(),
        commands: run,
        errors: newestOf(errors)
          .slice(-most.errors)
          .map((error) => {
            const again = bySource.get(error.source);
            return { ...error, gone: again !== undefined && again.outcome === 'ok' && again.at > error.at };
          }),
        ...(lastCall === undefined ? {} : { lastCall }),
        open: [...open.values()],
      };
    },
  };
}

const outcomeByFlag = (isError: boolean): { readonly outcome: Outcome; readonly exitCode?: number } => ({
  outcome: isError ? 'failed' : 'ok',
});

/** The command line of a shell call, without its secrets. */
export function commandLine({ tool, input }: CallPart): string | undefined {
  const command = toolKind(tool, input) === 'shell' ? commandOf(input) : undefined;
  return command === undefined ? undefined : redact(command);
}

/** A call in a few words: what it names, else its input. */
function describe({ tool, input }: CallPart): string {
  const named = toolTargets(tool, input).join(' ') || (pathOf(input) ?? '');
  const about = named || textField(input, 'pattern', 'query', 'url', 'description', 'skill', 'subject');
  return redact(shorten(about ?? JSON.stringify(input), 160)).replace(/\s+/g, ' ');
}
