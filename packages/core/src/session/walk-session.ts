import type { Circumstances } from '../view/circumstances.ts';
import type { Layer } from '../view/look.ts';
import { measureHidden } from '../view/receipt.ts';
import { type Walk, walk } from '../walk/walk.ts';
import type { SessionState } from './session-state.ts';

/** A walk over the session's view, and a look at what it hides. What its digests have read is read for the next. */
export function walkSession(session: SessionState, layers: readonly Layer[], given: Circumstances): Walk {
  const made = walk(session.view, layers, given, session.reading);
  measureHidden(made.entries, session.originals);
  session.reading = made.reading;
  return made;
}
