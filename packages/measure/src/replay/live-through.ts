import {
  type BudgetOptions,
  createSession,
  type Layer,
  type Message,
  type Session,
  type SessionOptions,
  type View,
} from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { newBreath } from '../breath.ts';

/** A model call of the recording, and what our session would have sent for it. */
export interface ModelCall {
  /** Counted from 1. */
  readonly number: number;
  /** The answer's index in the recording's messages. */
  readonly at: number;
  readonly answer: Message;
  readonly view: View;
  /** When the request was made, where the recording says it. */
  readonly when: number | undefined;
}

export interface LiveOptions extends BudgetOptions, Pick<SessionOptions, 'ports' | 'on' | 'journal' | 'canRecall'> {
  readonly layers: readonly Layer[];
  readonly signal: AbortSignal;
  readonly onCall?: (call: ModelCall) => void;
}

/**
 * Lives a recording through in a session of ours, as its host would have: what was said is appended, and before every
 * answer of the model the view is asked for. The recording's own compactions play no part, nor does its usage, which is
 * about other views than ours.
 */
export async function liveThrough(record: SessionRecord, options: LiveOptions): Promise<Session> {
  const { signal, onCall, ...settings } = options;
  const session = createSession({
    ...settings,
    broken: 'mend',
    ...(record.system === undefined ? {} : { system: record.system }),
  });
  const breathe = newBreath(signal);
  let number = 0;
  let when: number | undefined;
  for (const [at, message] of record.messages.entries()) {
    await breathe();
    if (message.role === 'assistant') {
      const view = await session.view({ signal });
      onCall?.({ number: ++number, at, answer: message, view, when });
      // What is drafted meanwhile comes before the answer: a model's turn takes as long, and how far a draft reaches is no chance.
      await session.settled({ signal });
    }
    when = message.at ?? when;
    session.append(message);
  }
  return session;
}
