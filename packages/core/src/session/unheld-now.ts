import { runSteps } from '../steps.ts';
import { findMissing, listWanted, type Unheld } from '../view/unheld-words.ts';
import { readTyped } from '../walk/read-digest.ts';
import type { SessionState } from './session-state.ts';

/** The user's rules and newest request that the view as it stands does not hold word for word; undefined where it holds all. */
export function findUnheld(session: SessionState): Unheld | undefined {
  const { view, budget } = session;
  if (view.walks === 0) return undefined;
  const { typed, reading } = runSteps(readTyped(view.base, session.reading ?? {}));
  session.reading = reading;
  if (session.unheld?.slots !== view.slots || session.unheld.typed !== typed) {
    const missing = findMissing(view.slots, listWanted(typed).vital);
    const messages = [...new Set(missing.map(({ message }) => message))];
    session.unheld = { slots: view.slots, typed, messages, isLong: missing.every(({ rank }) => rank === 'paste') };
  }
  const { messages, isLong: isTooLong } = session.unheld;
  if (messages.length === 0) return undefined;
  const whyNot = view.gate.open.size > 0 ? 'calls-in-flight' : 'no-room';
  return { messages, why: !budget.enabled ? 'disabled' : isTooLong ? 'too-long' : whyNot };
}
