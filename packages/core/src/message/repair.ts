import { CompactionError } from '../errors.ts';
import { admitMessage, enterMessage, newGate, type Problem, toError } from './admit-message.ts';
import type { Message, NewMessage } from './message.ts';

/** A history that can be appended message by message, and what was wrong with the one it was made of. */
export interface Repaired {
  readonly messages: readonly Message[];
  /** Empty when there was nothing to mend. */
  readonly report: readonly Problem[];
}

/** A valid history out of a broken one. What said something is kept, as text where it cannot be kept as it was. */
export function repair(history: readonly NewMessage[]): Repaired {
  const gate = newGate();
  const messages: Message[] = [];
  const report: Problem[] = [];
  for (const [i, message] of history.entries()) {
    if (!Array.isArray(message?.parts)) throw notAMessage(i);
    const admission = admitMessage(gate, message);
    enterMessage(gate, admission);
    messages.push(...admission.shown);
    report.push(...admission.problems);
  }
  return { messages, report };
}

/** Throws the first problem of a history, naming the message. */
export function check(history: readonly NewMessage[]): void {
  const gate = newGate();
  for (const [i, message] of history.entries()) {
    if (!Array.isArray(message?.parts)) throw notAMessage(i);
    const admission = admitMessage(gate, message);
    const problem = admission.problems[0];
    if (problem !== undefined) throw toError(problem);
    enterMessage(gate, admission);
  }
}

const notAMessage = (index: number): CompactionError =>
  new CompactionError('empty-message', `history[${index}] is no message: it needs a role and a list of parts.`);
