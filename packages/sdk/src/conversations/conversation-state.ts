import {
  type Clock,
  createSession,
  type Journal,
  type JournalRecord,
  type Json,
  type Overhead,
  type Session,
  type SessionOptions,
  type Stash,
} from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { type Decoded, type Live, sharingSummarizer, systemClock } from '@palimpsest/wire';
import type { Reading, Terms } from './reading.ts';

/** What a store holds of a conversation: so many of its messages are in the records. */
export interface StoredConversation {
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  readonly stash: Stash;
  readonly count: number;
}

/** A session, how many of the conversation's messages it has, and what it was told to keep to. */
export interface OpenSession {
  readonly session: Session;
  count: number;
  terms: Terms;
}

/** All that a conversation knows and owns. */
export interface ConversationState {
  readonly options: Omit<SessionOptions, 'window'>;
  readonly clock: Clock;
  /** From the first request on. */
  own: OpenSession | undefined;
  journal: Journal | undefined;
  /** The newest request, behind which a summary may be asked for. */
  live: Live | undefined;
  /** System prompt and tools, as the session knows them. */
  overhead: { readonly system: string; readonly tools: readonly Json[] } | undefined;
  /** How often the view was made smaller after a refusal. */
  shrunk: number;
}

export const newConversationState = (options: Omit<SessionOptions, 'window'>): ConversationState => ({
  options,
  clock: options.ports?.clock ?? systemClock,
  own: undefined,
  journal: undefined,
  live: undefined,
  overhead: undefined,
  shrunk: 0,
});

/** The session of the first request, which goes on from what a store held. */
export function beginSession(
  state: ConversationState,
  { decoded, terms }: Reading<unknown>,
  stored: StoredConversation | undefined,
): OpenSession {
  // First of all, so that it is closed whatever happens.
  state.journal = stored?.journal;
  const { options, clock } = state;
  const summarizer = sharingSummarizer(options.ports?.summarizer, () => state.live);
  const session = createSession({
    ...options,
    ...budgetOf(terms),
    ...findOverhead(state, decoded),
    broken: 'mend',
    ports: {
      ...(stored === undefined ? {} : { stash: stored.stash }),
      ...options.ports,
      clock,
      ...(summarizer === undefined ? {} : { summarizer }),
    },
    ...(stored === undefined ? {} : { records: stored.records, journal: stored.journal }),
  });
  state.own = { session, count: stored?.count ?? 0, terms };
  return state.own;
}

/** System prompt and tools, where they are not those that the session knows. */
export function findOverhead(state: ConversationState, { system, tools }: Decoded): Overhead {
  const now = { system, tools };
  const isNothingNew = state.overhead === undefined && system === '' && tools.length === 0;
  if (isNothingNew || isSameJson(now, state.overhead)) return {};
  state.overhead = now;
  return now;
}

export const budgetOf = ({ window, maxOutput, rules, limits }: Terms) => ({
  window,
  limits,
  ...(maxOutput === undefined ? {} : { maxOutput }),
  wire: rules,
});
