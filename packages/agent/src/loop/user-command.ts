import type { Clock, Session } from '@palimpsest/core';
import { keepHead, keepTail } from '@palimpsest/terminal';
import { noteToModel } from '../sessions/mend-session.ts';
import { describeRun } from '../tools/bash.ts';
import { runCommand } from '../tools/process-group.ts';
import type { Listener } from './agent-event.ts';

interface UserCommandParts {
  readonly root: string;
  readonly session: Session;
  readonly clock: Clock;
  readonly emit: Listener;
  readonly blankKeys: (text: string) => string;
}

const MOST_SECONDS = 600;
/** Told to the model: so much of the head and of the end. */
const TOLD_CHARS = 8_000;

/** Runs what the user typed as a command of their own: nobody is asked. The model is told of it with what is said next, unless it is not to be. */
export async function runUserCommand(
  { root, session, clock, emit, blankKeys }: UserCommandParts,
  command: string,
  isTold: boolean,
  signal: AbortSignal,
): Promise<void> {
  const call = { callId: 'user', tool: '!', input: { command } };
  emit({ type: 'call-started', ...call });
  const onOutput = (more: string): void => emit({ type: 'output-added', callId: call.callId, text: blankKeys(more) });
  const ran = await runCommand(command, { cwd: root, timeoutMs: MOST_SECONDS * 1_000, signal, onOutput });
  const { text: said, isError = false } = describeRun(ran, MOST_SECONDS);
  const text = blankKeys(said);
  if (isTold)
    session.append({ ...noteToModel(`The user ran a command:\n$ ${command}\n${shorten(text)}`), at: clock.now() });
  emit({ type: 'call-ended', ...call, text, isError });
}

const shorten = (text: string): string =>
  text.length <= 2 * TOLD_CHARS
    ? text
    : `${keepHead(text, TOLD_CHARS)}\n[… ${text.length - 2 * TOLD_CHARS} characters left out …]\n${keepTail(text, TOLD_CHARS)}`;
