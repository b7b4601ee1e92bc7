import { type Digest, digest } from '../digest/digest.ts';
import type { Evidence } from '../digest/evidence/evidence.ts';
import type { Message } from '../message/message.ts';

/** What digests have read off the start of a transcript so far. A walk answers with it, and its owner hands it in again. */
export interface Reading {
  /** How many messages were read. */
  readonly upTo: number;
  readonly evidence: Evidence;
}

/** Which messages a digest is of, by their places, both inclusive, and how long it may be. */
export interface DigestRequest {
  readonly first: number;
  readonly last: number;
  readonly maxTokens: number;
  readonly countText: (text: string) => number;
}

/** From the start of the transcript, reading goes on where the last digest stopped: a compaction costs what came since. */
export function readDigest(
  base: readonly Message[],
  { first, last, maxTokens, countText }: DigestRequest,
  before: Reading | undefined,
): { readonly made: Digest; readonly reading: Reading | undefined } {
  const known = first === 0 && before !== undefined && before.upTo <= last + 1 ? before : undefined;
  const made = digest(base.slice(known?.upTo ?? first, last + 1), {
    maxTokens,
    countText,
    saidFirst: true,
    ...(known === undefined ? {} : { previous: known.evidence }),
  });
  // A shorter prefix (one collapsed span) must not throw away what was read of a longer one.
  const further = first === 0 && last + 1 >= (before?.upTo ?? 0);
  return { made, reading: further ? { upTo: last + 1, evidence: made.evidence } : before };
}
