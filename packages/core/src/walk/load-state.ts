import { CompactionError } from '../errors.ts';
import type { Entry, Ledger } from '../ledger/ledger.ts';
import { parseLedger } from '../ledger/parse.ts';
import { copyData } from '../message/copy-data.ts';
import type { NewMessage } from '../message/message.ts';
import { recordEntry, recordWalk } from '../view/record-entry.ts';
import type { Count } from '../view/slot.ts';
import { appendMessage, newViewState, type ViewState } from '../view/view-state.ts';

/** A state out of a transcript and what was decided about it. Refuses a ledger that does not belong to the transcript. */
export function loadState(
  transcript: readonly NewMessage[],
  ledger: Ledger,
  count: Count,
  lenient: boolean | undefined,
): ViewState {
  const state = newViewState(count);
  for (const message of transcript) appendMessage(state, message, lenient === true ? 'mend' : 'refuse');
  for (const [i, entry] of parseLedger(ledger).entries.entries()) loadEntry(state, entry, `ledger.entries.${i}`);
  return state;
}

/** Records a stored entry, naming its position if it does not fit what came before. */
export function loadEntry(state: ViewState, entry: Entry, where: string): void {
  try {
    const own = copyData(entry, 'an entry');
    if (own.type === 'edits') recordWalk(state, [own]);
    else recordEntry(state, own);
  } catch (cause) {
    throw new CompactionError(
      'bad-ledger',
      `${where}: ${(cause as Error).message}. It was left as it is; check that the ledger and the transcript are of one session.`,
      { cause },
    );
  }
}
