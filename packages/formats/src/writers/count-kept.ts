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

/** The same of the beginning: how many messages a new view begins with are just the oldest of the transcript, and not all of it. */
export function countKeptHead(view: readonly Message[], said: readonly Message[], before: readonly Message[]): number {
  const shown = new Map(before.map((message) => [message.id, message]));
  let count = 0;
  for (const [place, own] of said.entries()) {
    const wanted = view[place];
    if (wanted === undefined || wanted.id !== own.id || !isSameJson(shown.get(own.id) ?? own, wanted)) break;
    count++;
  }
  return count < view.length ? count : 0;
}
