import { type Digest, writeDigest } from '../digest/digest.ts';
import { newReader, type Reader } from '../digest/reader.ts';
import type { Message } from '../message/message.ts';

/** What digests have read off the start of a transcript so far. It reads on, and belongs to one transcript. */
export interface Reading {
  readonly digest?: Reader;
}

/** Which messages a digest is of, by their places, both inclusive, and how long it may be: as `writeDigest` takes it. */
export interface DigestRequest {
  readonly first: number;
  readonly last: number;
  readonly maxTokens: number;
  readonly beside?: string;
  readonly countText: (text: string) => number;
}

/** From the start of the transcript, reading goes on where the last digest stopped: a compaction costs what came since. */
export function readDigest(
  base: readonly Message[],
  { first, last, ...options }: DigestRequest,
  reading: Reading,
): { readonly made: Digest; readonly reading: Reading } {
  const known =
    first === 0 && reading.digest !== undefined && reading.digest.messages <= last + 1 ? reading.digest : undefined;
  const reader = known ?? newReader();
  reader.read(base.slice(known === undefined ? first : known.messages, last + 1));
  // A shorter prefix (one collapsed span) must not throw away what was read of a longer one.
  const isFurther = first === 0 && last + 1 >= (reading.digest?.messages ?? 0);
  return {
    made: writeDigest(reader, { ...options, messagesBefore: first }),
    reading: isFurther ? { digest: reader } : reading,
  };
}
