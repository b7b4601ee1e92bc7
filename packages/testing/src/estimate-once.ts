import { estimateMessage, type Message } from '@palimpsest/core';

const counts = new WeakMap<readonly unknown[], number>();

/** The estimate, made once for a list of parts: laws look at the same messages over and over. */
export function estimateOnce(message: Message): number {
  const known = counts.get(message.parts);
  if (known !== undefined) return known;
  const tokens = estimateMessage(message);
  counts.set(message.parts, tokens);
  return tokens;
}
