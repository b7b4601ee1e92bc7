import { estimateMessage, type Message } from '@palimpsest/core';

const counted = new WeakMap<readonly unknown[], number>();

/** The estimate, made once for a list of parts: laws look at the same messages over and over. */
export function remembered(message: Message): number {
  const known = counted.get(message.parts);
  if (known !== undefined) return known;
  const tokens = estimateMessage(message);
  counted.set(message.parts, tokens);
  return tokens;
}
