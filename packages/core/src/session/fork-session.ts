import { CompactionError } from '../errors.ts';
import type { JournalRecord } from '../ledger/ports.ts';
import type { MessageId } from '../message/message.ts';
import type { SessionState } from './session-state.ts';
import { stateOnly } from './session-state.ts';
import type { ForkOptions, SessionOptions } from './session-types.ts';

/** A session's beginning: what a fork of it starts from. */
export interface Beginning {
  readonly options: SessionOptions;
  readonly records: readonly JournalRecord[];
}

/**
 * All up to a message, and what had been decided by the time the next one came. What was decided later is left out, even where
 * it is about these messages only: it was decided in sight of what the fork does not have.
 */
export function takeBeginning(session: SessionState, upTo: MessageId | undefined, own: ForkOptions): Beginning {
  const { view, options, budgetOptions, layers, wire, stated } = session;
  const count = upTo === undefined ? view.transcript.length : findPlace(session, upTo) + 1;
  const { journal: _, records: __, ...others } = options;
  return {
    options: {
      ...others,
      ...budgetOptions,
      layers,
      ...stateOnly({ ...stated, wire }),
      ...own,
    },
    records: recordsOf(session, count),
  };
}

function findPlace({ view }: SessionState, id: MessageId): number {
  const place = view.transcript.findLastIndex((message) => message.id === id);
  if (place >= 0) return place;
  throw new CompactionError('unknown-message', `no message "${id}" is in this session.`, { messageId: id });
}

/** Messages and entries in the order in which they came. */
function recordsOf({ view }: SessionState, count: number): readonly JournalRecord[] {
  const { transcript, entries, madeAt } = view;
  const records: JournalRecord[] = [];
  let next = 0;
  for (let place = 0; place <= count; place++) {
    for (; madeAt[next] === place; next++) {
      const entry = entries[next];
      if (entry !== undefined) records.push({ v: 1, type: 'entry', entry });
    }
    const message = place < count ? transcript[place] : undefined;
    if (message !== undefined) records.push({ v: 1, type: 'message', message });
  }
  return records;
}
