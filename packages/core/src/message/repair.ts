import { showValue } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import { type Admission, admitMessage, enterMessage, newGate, type Problem, toError } from './admit-message.ts';
import type { Message, NewMessage } from './message.ts';

/** A history that can be appended message by message, and what was wrong with the one it was made of. */
export interface Repaired {
  readonly messages: readonly Message[];
  /** Empty when there was nothing to mend. */
  readonly report: readonly Problem[];
}

/** A valid history out of a broken one. What said something is kept, as text where it cannot be kept as it was. */
export function repair(history: readonly NewMessage[]): Repaired {
  const messages: Message[] = [];
  const report: Problem[] = [];
  visitAdmissions(history, ({ shown, problems }) => {
    messages.push(...shown);
    report.push(...problems);
  });
  return { messages, report };
}

/** Throws the first problem of a history, naming the message. */
export function check(history: readonly NewMessage[]): void {
  visitAdmissions(history, ({ problems: [problem] }) => {
    if (problem !== undefined) throw toError(problem);
  });
}

function visitAdmissions(history: readonly NewMessage[], visit: (admission: Admission) => void): void {
  if (!Array.isArray(history))
    throw new CompactionError('bad-option', `a history is a list of messages, not ${showValue(history)}.`);
  const gate = newGate();
  for (const message of history) {
    const admission = admitMessage(gate, message);
    visit(admission);
    enterMessage(gate, admission);
  }
}
