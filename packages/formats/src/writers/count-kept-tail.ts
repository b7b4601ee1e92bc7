import type { Message } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';

/**
 * How many messages at the end of a new view are just the newest messages of the transcript, as they were shown
 * before. The agents' formats can point at those; everything else of the view has to be written again.
 */
export function countKeptTail(view: readonly Message[], said: readonly Message[], before: readonly Message[]): number {
  const shown = new Map(before.map((message) => [message.id, message]));
  let count = 0;
  while (count < view.length && count < said.length) {
    const [wanted, own] = [view.at(-1 - count)!, said.at(-1 - count)!];
    if (wanted.id !== own.id || !isSameJson(shown.get(own.id) ?? own, wanted)) break;
    count++;
  }
  return count;
}
