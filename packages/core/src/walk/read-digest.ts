import { type Digest, writeInSteps } from '../digest/digest.ts';
import type { Evidence } from '../digest/evidence/evidence.ts';
import { keepNewest } from '../digest/evidence/keep-newest.ts';
import { gatherInSteps } from '../digest/read/gather-evidence.ts';
import { gatherWords } from '../digest/read/read-typed.ts';
import { writeWords } from '../digest/words/keep-words.ts';
import type { Message } from '../message/message.ts';
import type { Steps } from '../steps.ts';
import type { Slot } from '../view/slot.ts';
import type { Typed } from '../view/unheld-words.ts';

/** What digests have read off the start of a transcript so far. A walk answers with it, and its owner hands it in again. */
export interface Reading {
  /** All that was read off so many messages. */
  readonly digest?: { readonly upTo: number; readonly evidence: Evidence };
  /** What the user typed in so many messages. */
  readonly words?: { readonly upTo: number; readonly typed: Typed };
  /** The view that was last looked at for what the user typed, and what it might take then. */
  readonly held?: { readonly slots: readonly Slot[]; readonly limit: number };
}

/** Which messages a digest is of, by their places, both inclusive, and how long it may be: as `writeDigest` takes it. */
export interface DigestRequest {
  readonly first: number;
  readonly last: number;
  readonly maxTokens: number;
  readonly wordsTokens: number;
  readonly wordsUpTo: number;
  readonly beside?: string;
  readonly countText: (text: string) => number;
  readonly canRecall: boolean;
}

/** From the start of the transcript, reading goes on where the last digest stopped: a compaction costs what came since. */
export function* readDigest(
  base: readonly Message[],
  { first, last, ...options }: DigestRequest,
  reading: Reading,
): Steps<{ readonly made: Digest; readonly reading: Reading }> {
  const { digest: before } = reading;
  const known = first === 0 && before !== undefined && before.upTo <= last + 1 ? before : undefined;
  const evidence = yield* gatherInSteps(base.slice(known?.upTo ?? first, last + 1), known?.evidence);
  // A shorter prefix (one collapsed span) must not throw away what was read of a longer one.
  const further = first === 0 && last + 1 >= (before?.upTo ?? 0);
  return {
    made: yield* writeInSteps(evidence, { ...options, messagesBefore: first }),
    reading: further ? { ...reading, digest: { upTo: last + 1, evidence } } : reading,
  };
}

/** All that the user typed so far; read on from where the last reading stopped. */
export function* readTyped(
  base: readonly Message[],
  reading: Reading,
): Steps<{ readonly typed: Typed; readonly reading: Reading }> {
  const { upTo = 0, typed: before } = reading.words ?? {};
  const typed = yield* gatherWords(base.slice(upTo), upTo, before);
  return { typed, reading: { ...reading, words: { upTo: base.length, typed } } };
}

/** What the user typed between two places; read on from where the last reading stopped. */
export function* readWords(
  base: readonly Message[],
  { first, last, maxTokens, countText, canRecall }: Omit<DigestRequest, 'wordsTokens' | 'wordsUpTo' | 'beside'>,
  reading: Reading,
): Steps<{ readonly text: string; readonly reading: Reading }> {
  const { upTo = 0, typed: before } = reading.words ?? {};
  const typed = yield* gatherWords(base.slice(upTo, last + 1), upTo, before);
  const isInside = ({ at }: { readonly at: number }): boolean => at >= first && at <= last;
  const inside = { words: typed.words.filter(isInside), constraints: keepNewest(typed.constraints.filter(isInside)) };
  return {
    text: writeWords(inside, maxTokens, countText, canRecall),
    reading: { ...reading, words: { upTo: Math.max(upTo, last + 1), typed } },
  };
}
