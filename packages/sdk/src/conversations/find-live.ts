import type { Conversation } from './conversation.ts';
import { measureShared } from './measure-shared.ts';
import type { PrefixIndex } from './prefix-index.ts';
import type { Reading } from './reading.ts';

/** A conversation, and how many of a request's messages it has. */
export interface FoundLive {
  readonly conversation: Conversation;
  readonly depth: number;
}

/** The conversation of a scope that has most of a request's messages, or that the request goes on from without leaving it. */
export function findLive(
  index: PrefixIndex<Conversation>,
  scope: string,
  reading: Reading<unknown>,
): FoundLive | undefined {
  const best = chooseBest(index.find(scope, reading.trace).holders, reading);
  if (best === undefined || best.depth === best.conversation.told.length) return best;
  return findAnswered(index, scope, reading, best.depth) ?? best;
}

/**
 * Where the request would have to leave a longer conversation: the one whose newest request it answers, though that has less
 * of it. Whoever says step by step what another said before goes on where it was, and forks once.
 */
function findAnswered(
  index: PrefixIndex<Conversation>,
  scope: string,
  reading: Reading<unknown>,
  below: number,
): FoundLive | undefined {
  const { messages, trace } = reading;
  const newest = messages.findLastIndex(({ role }) => role === 'assistant');
  const from = messages.slice(0, Math.max(0, newest)).findLastIndex(({ role }) => role !== 'assistant') + 1;
  if (from === 0 || from >= below) return undefined;
  const ended = index.find(scope, trace.slice(0, from)).holders.filter(({ told }) => told.length === from);
  const best = chooseBest(ended, reading);
  return best?.depth === from ? best : undefined;
}

const chooseBest = (holders: readonly Conversation[], reading: Reading<unknown>): FoundLive | undefined =>
  holders
    .map((conversation) => ({ conversation, depth: measureDepth(conversation, reading) }))
    .reduce<FoundLive | undefined>((best, one) => (isBetter(one, best, reading) ? one : best), undefined);

const measureDepth = (conversation: Conversation, reading: Reading<unknown>): number =>
  measureShared({ ...conversation, messages: () => conversation.session?.transcript() ?? [] }, reading);

/** More of the request first; then what was sent with the same system prompt and tools; then what need not be left. */
function isBetter(one: FoundLive, best: FoundLive | undefined, { besides }: Reading<unknown>): boolean {
  if (one.depth === 0) return false;
  if (best === undefined || one.depth !== best.depth) return one.depth > (best?.depth ?? 0);
  const rank = ({ conversation, depth }: FoundLive): number =>
    (conversation.besides === besides ? 2 : 0) + (conversation.told.length === depth ? 1 : 0);
  return rank(one) > rank(best);
}
