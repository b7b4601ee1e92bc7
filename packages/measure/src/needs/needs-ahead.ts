import type { SessionRecord } from '@palimpsest/formats';
import { CLASSES, type Class, type Uses, type WordBook } from '../words/word-book.ts';

/** How far an agent is looked after: what it uses later it will have looked up again anyway. */
export const AHEAD_CALLS = 20;
/** Recall is taken at every so many calls. */
export const EVERY_CALLS = 5;

/**
 * By number of the call, from 0: what the agent used in that and the next answers and had seen before it. The same for
 * every preset, since a recording's agent does what it did whatever we would have shown it.
 */
export function needsAhead({ messages }: SessionRecord, book: WordBook): ReadonlyMap<number, Uses> {
  const answers = messages.flatMap((message, at) =>
    message.role === 'assistant' ? [{ at, used: book.used(message) }] : [],
  );
  const firstSeen = new Map<number, number>();
  for (const [at, message] of messages.entries())
    for (const number of book.shown(message)) if (!firstSeen.has(number)) firstSeen.set(number, at);
  const needs = new Map<number, Uses>();
  for (let call = 0; call < answers.length; call += EVERY_CALLS) {
    const { at } = answers[call]!;
    const ahead = answers.slice(call, call + AHEAD_CALLS);
    const needed = (name: Class): readonly number[] => [
      ...new Set(ahead.flatMap(({ used }) => used[name].filter((number) => firstSeen.get(number)! < at))),
    ];
    needs.set(call, Object.fromEntries(CLASSES.map((name) => [name, needed(name)])) as Uses);
  }
  return needs;
}
