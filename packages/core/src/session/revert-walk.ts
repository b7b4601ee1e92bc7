import { CompactionError } from '../errors.ts';
import { dropRefused } from '../size/window-clues.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { revertibleWalks, type WalkEntries } from '../view/record-entry.ts';
import { EDIT_LAYER } from './edit-summary.ts';
import { noteClues } from './learn-window.ts';
import { noteEntry, type SessionState } from './session-state.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** Takes back the newest walk that stands, because the user wants it; what reasoning was made behind it goes at the next view. */
export function revertNewest(session: SessionState, ahead: SummaryAhead, wanted?: number): Receipt {
  const newest = revertibleWalks(session.view.entries).at(-1);
  if (newest === undefined)
    throw new CompactionError('nothing-to-undo', 'no compaction stands that could be taken back.');
  if (wanted !== undefined && newest[0].walk !== wanted)
    throw new CompactionError(
      'nothing-to-undo',
      `compaction ${wanted} is not the newest that stands: that is ${newest[0].walk}. Nothing was taken back.`,
    );
  // Who wants back what a refusal hid wants it sent again: what the refusal has shown goes with it.
  if (newest[0].trigger === 'overflow') noteClues(session, dropRefused(session.clues));
  return revertWalk(session, ahead, newest, newest.every(({ layer }) => layer === EDIT_LAYER) ? 'edit' : undefined);
}

export function revertWalk(
  session: SessionState,
  ahead: SummaryAhead,
  entries: WalkEntries,
  by?: 'switch' | 'edit',
): Receipt {
  const receipt = receiptOf(entries, session.originals);
  ahead.stop();
  noteEntry(session, { type: 'revert', walk: receipt.walk, ...(by === undefined ? {} : { by }) });
  session.untold = session.untold.filter((entry) => entry.walk !== receipt.walk);
  session.emit({ type: 'walk-reverted', receipt });
  return receipt;
}
