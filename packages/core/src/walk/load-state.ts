import { CompactionError } from '../errors.ts';
import { startOf } from '../ledger/edit.ts';
import type { Entry, Ledger } from '../ledger/ledger.ts';
import { parseLedger } from '../ledger/parse.ts';
import { copyData } from '../message/copy-data.ts';
import type { MessageId, NewMessage } from '../message/message.ts';
import { recordEntry } from '../view/record-entry.ts';
import type { Count } from '../view/slot.ts';
import { appendMessage, newViewState, type ViewState } from '../view/view-state.ts';

/**
 * A state out of a transcript and what was decided about it. Messages come in at their time, since answers were made behind
 * the view of then. Refuses a ledger that does not belong to the transcript.
 */
export function loadState(
  transcript: readonly NewMessage[],
  ledger: Ledger,
  count: Count,
  lenient: boolean | undefined,
): ViewState {
  const { entries } = parseLedger(ledger);
  const state = newViewState(count);
  const waiting = transcript[Symbol.iterator]();
  const appendUntil = (isEnough: () => boolean): void => {
    while (!isEnough()) {
      const next = waiting.next();
      if (next.done === true) return;
      appendMessage(state, next.value, lenient === true ? 'mend' : 'refuse');
    }
  };
  const counts = countsAhead(entries);
  for (const [i, entry] of entries.entries()) {
    const names = namesOf(entry);
    appendUntil(() => state.base.length >= (counts[i] ?? Infinity) && names.every((id) => state.places.has(id)));
    loadEntry(state, entry, `ledger.entries.${i}`);
  }
  appendUntil(() => false);
  return state;
}

/** For every entry, how many messages there were by the next view: what was said before an entry is to come before it. */
function countsAhead(entries: readonly Entry[]): readonly number[] {
  const counts: number[] = [];
  let count = Infinity;
  for (const entry of entries.toReversed()) {
    if (entry.type === 'seen') count = entry.count;
    counts.push(count);
  }
  return counts.reverse();
}

/** The messages that an entry is about. */
function namesOf(entry: Entry): readonly MessageId[] {
  if (entry.type === 'pin' || entry.type === 'unpin') return [entry.message];
  if (entry.type !== 'edits') return [];
  return entry.edits.flatMap((edit) => (edit.type === 'fold' ? [edit.from, edit.to] : [startOf(edit)]));
}

/** Records a stored entry, naming its position if it does not fit what came before. */
export function loadEntry(state: ViewState, entry: Entry, where: string): void {
  try {
    recordEntry(state, copyData(entry, 'an entry'));
  } catch (cause) {
    throw new CompactionError(
      'bad-ledger',
      `${where}: ${(cause as Error).message}. It was left as it is; check that the ledger and the transcript are of one session.`,
      { cause },
    );
  }
}
