import type { Message, MessageId } from '@palimpsest/core';
import { compareTwins, hasProof } from './message-trace.ts';
import type { Reading } from './reading.ts';

/** What a conversation has, and what its newest request called it. */
export interface Known {
  /** As they were first told; the newest may not be there yet. */
  readonly messages: () => readonly Message[];
  readonly told: readonly MessageId[];
  readonly trace: readonly string[];
  /** Of its newest request; unknown where it was just read from a store. */
  readonly model?: string;
}

/**
 * How many messages of a request a conversation has. What a client tells otherwise than it did (a reminder less, an old result
 * cleared) is the same message still, where the request goes on behind it and it is certain to be the same client: by its id,
 * or by a call that it names.
 */
export function measureShared(known: Known, reading: Reading<unknown>): number {
  const { messages, trace, owner, turn } = reading;
  let depth = 0;
  while (depth < messages.length && depth < known.trace.length && trace[depth] === known.trace[depth]) depth++;
  const from = messages.findIndex(({ id }, i) => id !== known.told[i]);
  if (from < 0 || from >= depth) return depth;
  const isCertain = owner.id !== undefined || hasProof(messages.slice(0, depth));
  const had = known.messages();
  let shared = from;
  for (let at = from; at < depth; at++) {
    const [kept, given] = [had[at], messages[at]];
    if (kept === undefined || given === undefined) break;
    const likeness = compareTwins(kept, given);
    if (likeness === 'same') {
      shared = at + 1;
      continue;
    }
    if (!isCertain || likeness === 'other') break;
    if (likeness === 'unreasoned' && known.model !== undefined && known.model !== turn.model) break;
    // A result that is no longer what it was counts as cleared only if what followed it follows it still.
    const isFollowed = likeness === 'pruned' ? at + 1 < depth : at + 1 < messages.length;
    if (!isFollowed) break;
    shared = at + 1;
  }
  return shared;
}
