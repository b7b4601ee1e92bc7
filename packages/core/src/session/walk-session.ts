import { runSteps, type Steps } from '../steps.ts';
import type { Circumstances } from '../view/circumstances.ts';
import type { Layer } from '../view/look.ts';
import { measureHidden } from '../view/receipt.ts';
import { type Walk, walkInSteps } from '../walk/walk.ts';
import type { SessionState } from './session-state.ts';

/** A walk over the session's view, and a look at what it hides. What its digests have read is read for the next. */
export function* stepThrough(session: SessionState, layers: readonly Layer[], given: Circumstances): Steps<Walk> {
  const made = yield* walkInSteps(session.view, layers, given, session.reading);
  yield* measureHidden(made.entries, session.originals);
  session.reading = made.reading;
  return made;
}

/** The same at once. */
export const walkSession = (session: SessionState, layers: readonly Layer[], given: Circumstances): Walk =>
  runSteps(stepThrough(session, layers, given));
