import { CompactionError, createSession, type SessionOptions } from '@palimpsest/core';
import type { ConversationStore, KeepOptions, LiveLimits } from './keep-options.ts';
import { type LiveConversations, newLiveConversations } from './live-conversations.ts';
import { requireWindow } from './reading.ts';
import { newStoredGroups, type StoredGroups } from './stored-groups.ts';

/** Where a provider states its window, one smaller body is enough; where it does not, each is a guess of half the size. */
export const MOST_GUESSES = 3;

/** For a look at the options, where the window is told by the model. */
const ANY_WINDOW = 200_000;

/** All that a host's conversations share. */
export interface ConversationsState {
  readonly options: KeepOptions;
  readonly sessionOptions: Omit<SessionOptions, 'window'>;
  readonly storeOf: (tenant: string) => ConversationStore | undefined;
  readonly live: LiveConversations;
  /** Windows that providers stated in refusals, by model: smaller than what we were told. */
  readonly learned: Map<string, number>;
  /** What is read from the store for recall alone. */
  readonly groups: StoredGroups;
  /** How often something was forgotten. */
  forgets: number;
}

export function newConversationsState(options: KeepOptions): ConversationsState {
  const { window, store, live, strict: _, key: __, onSession: ___, on: ____, ...rest } = options;
  if (typeof window !== 'function') requireWindow(window, 'any model');
  checkLimits(live);
  const sessionOptions = { overflowTries: MOST_GUESSES, ...rest };
  // What no session would take is said now, and not by every request that comes.
  createSession({ ...sessionOptions, window: typeof window === 'function' ? ANY_WINDOW : window });
  const storeOf = typeof store === 'function' ? store : () => store;
  const atHand = newLiveConversations(live);
  return {
    options,
    sessionOptions,
    storeOf,
    live: atHand,
    learned: new Map(),
    forgets: 0,
    groups: newStoredGroups(storeOf, atHand.names),
  };
}

const LIMITS: readonly string[] = ['conversations', 'bytes'] satisfies readonly (keyof LiveLimits)[];

function checkLimits(live: unknown = {}): void {
  const isRight =
    typeof live === 'object' &&
    live !== null &&
    Object.entries(live).every(([name, most]) => LIMITS.includes(name) && (most === undefined || most > 0));
  if (!isRight)
    throw new CompactionError('bad-option', '`live` is { conversations, bytes }, each a number above 0, or left out.');
}
