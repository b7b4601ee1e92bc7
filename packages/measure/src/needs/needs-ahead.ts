import type { SessionRecord } from '@palimpsest/formats';
import { NAME_KINDS, type NameKind, type Uses, type WordBook } from '../words/word-book.ts';

/** How far an agent is looked after: what it uses later it will have looked up again anyway. */
export const AHEAD_CALLS = 20;
/** Recall is taken at every so many calls. */
export const EVERY_CALLS = 5;

/**
 * By number of the call, from 0: what the agent used in that and the next answers and had seen before it. The same for
 * every preset, since a recording's agent does what it did whatever we would have shown it.
 */
export function findNeedsAhead({ messages }: SessionRecord, book: WordBook): ReadonlyMap<number, Uses> {
  const answers = messages.flatMap((message, at) =>
    message.role === 'assistant' ? [{ at, used: book.readUsed(message) }] : [],
  );
  const firstSeen = new Map<number, number>();
  for (const [at, message] of messages.entries())
    for (const number of book.readShown(message)) if (!firstSeen.has(number)) firstSeen.set(number, at);
  const needs = new Map<number, Uses>();
  for (const [call, { at }] of answers.entries()) {
    if (call % EVERY_CALLS !== 0) continue;
    const ahead = answers.slice(call, call + AHEAD_CALLS);
    const wasSeen = (number: number): boolean => (firstSeen.get(number) ?? Number.POSITIVE_INFINITY) < at;
    const findNeeded = (kind: NameKind): readonly number[] => [
      ...new Set(ahead.flatMap(({ used }) => used[kind].filter(wasSeen))),
    ];
    needs.set(call, Object.fromEntries(NAME_KINDS.map((kind) => [kind, findNeeded(kind)])) as Uses);
  }
  return needs;
}
