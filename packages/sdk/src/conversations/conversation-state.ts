import {
  type Clock,
  createSession,
  type ForkOptions,
  type Journal,
  type JournalRecord,
  type MessageId,
  type Overhead,
  presets,
  type Session,
  type SessionOptions,
  type Stash,
  type View,
} from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { type Live, sharingSummarizer, systemClock } from '@palimpsest/wire';
import type { Reading, Terms } from './reading.ts';

/** What a session begins with, where it is not the first of its kind. */
export type Beginning =
  /** All of a stored one, whose journal goes on. */
  | { readonly type: 'records'; readonly records: readonly JournalRecord[] }
  /** Another one's, up to so many messages. */
  | { readonly type: 'fork'; readonly session: Session; readonly ids: readonly MessageId[] };

/** Where a session is kept. */
export interface Kept {
  readonly journal: Journal;
  readonly stash: Stash;
  /** Lets other processes have it, once `last` is done. */
  readonly rest?: (last: () => Promise<void>) => Promise<void>;
}

/** A session, the ids of the conversation's messages that it has, and what it was told to keep to. */
export interface OpenSession {
  readonly session: Session;
  readonly ids: MessageId[];
  terms: Terms;
  /** What its first request said of a server-side compaction is noted. */
  hasBoundary: boolean;
}

/** The newest request, behind which a summary may be asked for, and what it goes out with. */
export interface LiveTurn extends Live {
  readonly window: number;
  readonly credentials: unknown;
}

/** All that a conversation knows and owns. */
export interface ConversationState {
  readonly options: Omit<SessionOptions, 'window'>;
  readonly clock: Clock;
  /** From the first request on. */
  own: OpenSession | undefined;
  kept: Kept | undefined;
  live: LiveTurn | undefined;
  /** System prompt, tools and whether one of them recalls, as the session knows them. */
  overhead: Overhead | undefined;
  /** How often the view was made smaller after a refusal. */
  shrunk: number;
  /** What that hid the last time. */
  hidden: Pick<View, 'receipt'>;
}

export const newConversationState = (options: Omit<SessionOptions, 'window'>): ConversationState => ({
  options,
  clock: options.ports?.clock ?? systemClock,
  own: undefined,
  kept: undefined,
  live: undefined,
  overhead: undefined,
  shrunk: 0,
  hidden: {},
});

/** The session of the first request, which goes on from what there is. */
export async function beginSession(
  state: ConversationState,
  reading: Reading<unknown>,
  kept: Kept | undefined,
  beginning: Beginning | undefined,
): Promise<OpenSession> {
  // First of all, so that it is closed whatever happens.
  state.kept = kept;
  const { options, clock } = state;
  const { terms } = reading;
  const summarizer = sharingSummarizer(options.ports?.summarizer, () => state.live);
  const own: ForkOptions = {
    ...options,
    ...layersOf(terms),
    ...budgetOf(terms),
    ...findOverhead(state, reading),
    broken: 'mend',
    ports: {
      ...(kept === undefined ? {} : { stash: kept.stash }),
      ...options.ports,
      clock,
      ...(summarizer === undefined ? {} : { summarizer }),
    },
    ...(kept === undefined ? {} : { journal: kept.journal }),
  };
  const made =
    beginning?.type === 'fork'
      ? beginning.session.fork(beginning.ids.at(-1), own)
      : createSession({ ...own, window: terms.window, records: beginning?.records ?? [] });
  const ids = beginning?.type === 'fork' ? [...beginning.ids] : made.transcript().map(({ id }) => id);
  state.own = { session: made, ids, terms, hasBoundary: false };
  return state.own;
}

/** Lets other processes have it. What is known by then is written on the way: whoever has it next goes on from that. */
export async function restSession({ own, kept }: ConversationState): Promise<void> {
  if (own !== undefined) await kept?.rest?.(own.session.saved);
}

/** What is sent besides the messages, where it is not what the session knows. */
export function findOverhead(state: ConversationState, { decoded, turn }: Reading<unknown>): Overhead {
  const { system, tools } = decoded;
  const { canRecall = turn.canRecall } = state.options;
  const can = canRecall === undefined ? {} : { canRecall };
  // Where nothing was ever told of them, they are unknown rather than empty: usage tells their size.
  const isUnknown = state.overhead?.system === undefined && system === '' && tools.length === 0;
  const now: Overhead = isUnknown ? can : { system, tools, ...can };
  if (isSameJson(now, state.overhead ?? {})) return {};
  state.overhead = now;
  return now;
}

export const budgetOf = ({ window, maxOutput, rules, limits, prices }: Terms) => ({
  window,
  limits,
  ...(prices === undefined ? {} : { prices }),
  ...(maxOutput === undefined ? {} : { maxOutput }),
  wire: rules,
});

/** The layers that a request asks for by name. */
export const layersOf = ({ preset }: Terms): Pick<SessionOptions, 'layers'> =>
  preset === undefined ? {} : { layers: presets[preset]() };
