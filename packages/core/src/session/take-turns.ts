import { runSteps, type Steps } from '../steps.ts';
import { type EventLoop, systemLoop } from './event-loop.ts';
import type { SessionState } from './session-state.ts';

/** So often work begins anew because a message or a decision came in between; then it is done in one piece. */
const MOST_BEGINNINGS = 4;

/**
 * Work on a session in steps, between which others of the process have their turn. Short work is done at once, and its result
 * is no promise. Whatever is said or decided in the middle of it counts as said before: the work begins anew.
 */
export function takeTurns<Result>(
  session: SessionState,
  begin: () => Steps<Result>,
  signal?: AbortSignal,
): Result | Promise<Result> {
  const steps = begin();
  const loop = session.ports.loop ?? systemLoop;
  const outcome = runUntilDue(steps, loop);
  return outcome === undefined ? goOn(session, begin, steps, loop, signal) : outcome.value;
}

async function goOn<Result>(
  session: SessionState,
  begin: () => Steps<Result>,
  first: Steps<Result>,
  loop: EventLoop,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let steps = first;
  for (let beginnings = 1; ; ) {
    const before = countChanges(session);
    await loop.turn();
    signal?.throwIfAborted();
    if (countChanges(session) !== before) {
      steps = begin();
      beginnings++;
    }
    if (beginnings === MOST_BEGINNINGS) return runSteps(steps);
    const outcome = runUntilDue(steps, loop);
    if (outcome !== undefined) return outcome.value;
  }
}

/** Work on nothing that anybody else can reach, in steps between which others have their turn. */
export async function runInTurns<Result>(steps: Steps<Result>, loop: EventLoop = systemLoop): Promise<Result> {
  for (;;) {
    const outcome = runUntilDue(steps, loop);
    if (outcome !== undefined) return outcome.value;
    await loop.turn();
  }
}

/** What steps come to; undefined where others are to have their turn first. */
function runUntilDue<Result>(steps: Steps<Result>, loop: EventLoop): { readonly value: Result } | undefined {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value };
    if (loop.isDue()) return undefined;
  }
}

/** Messages and decisions only ever come to be more. */
const countChanges = ({ view }: SessionState): number => view.transcript.length + view.entries.length;
