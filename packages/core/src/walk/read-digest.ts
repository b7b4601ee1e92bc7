import { type Digest, writeDigest } from '../digest/digest.ts';
import type { Evidence } from '../digest/evidence/evidence.ts';
import { gatherEvidence } from '../digest/read/gather-evidence.ts';
import type { Message } from '../message/message.ts';

/** What digests have read off the start of a transcript so far. A walk answers with it, and its owner hands it in again. */
export interface Reading {
  /** All that was read off so many messages. */
  readonly digest?: { readonly upTo: number; readonly evidence: Evidence };
}

/** Which messages a digest is of, by their places, both inclusive, and how long it may be: as `writeDigest` takes it. */
export interface DigestRequest {
  readonly first: number;
  readonly last: number;
  readonly maxTokens: number;
  readonly beside?: string;
  readonly countText: (text: string) => number;
  readonly canRecall: boolean;
}

/** From the start of the transcript, reading goes on where the last digest stopped: a compaction costs what came since. */
export function readDigest(
  base: readonly Message[],
  { first, last, ...options }: DigestRequest,
  reading: Reading,
): { readonly made: Digest; readonly reading: Reading } {
  const { digest: before } = reading;
  const known = first === 0 && before !== undefined && before.upTo <= last + 1 ? before : undefined;
  const evidence = gatherEvidence(base.slice(known?.upTo ?? first, last + 1), known?.evidence);
  // A shorter prefix (one collapsed span) must not throw away what was read of a longer one.
  const further = first === 0 && last + 1 >= (before?.upTo ?? 0);
  return {
    made: writeDigest(evidence, { ...options, messagesBefore: first }),
    reading: further ? { ...reading, digest: { upTo: last + 1, evidence } } : reading,
  };
}
