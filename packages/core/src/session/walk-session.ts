import type { Circumstances } from '../view/circumstances.ts';
import type { Layer } from '../view/look.ts';
import { type Walk, walk } from '../walk/walk.ts';
import type { SessionState } from './session-state.ts';

/** A walk over the session's view. What its digests have read is read for the next. */
export function walkSession(session: SessionState, layers: readonly Layer[], given: Circumstances): Walk {
  const made = walk(session.view, layers, given, session.reading);
  session.reading = made.reading;
  return made;
}
