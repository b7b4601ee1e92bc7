import type { EditsEntry } from '../ledger/ledger.ts';
import type { Circumstances } from '../view/circumstances.ts';
import { type Layer, nothing } from '../view/look.ts';
import { noteEntry, type SessionState } from './session-state.ts';
import { findUnheld } from './unheld-now.ts';
import { walkSession } from './walk-session.ts';

/** Does nothing itself: behind it the walk looks for the user's words. */
const lastLook: Layer = { name: 'last-look', decide: () => nothing, holdsWords: 'all' };

/**
 * A compaction voids the report that it was measured by. Where rules or the newest request had no room by that report and have
 * some without it, they come back at once, as a part of the same walk.
 */
export function holdLate(session: SessionState, [first]: readonly EditsEntry[], given: Circumstances): void {
  if (first === undefined || !session.layers.some((layer) => layer.holdsWords !== undefined)) return;
  if (findUnheld(session) === undefined) return;
  const { entries } = walkSession(session, [lastLook], given);
  for (const { of: _, ...entry } of entries) {
    const own: EditsEntry = { ...entry, walk: first.walk };
    noteEntry(session, own);
    session.untold = [...session.untold, own];
  }
}
