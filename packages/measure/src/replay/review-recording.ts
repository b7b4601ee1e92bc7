import { estimateText } from '@palimpsest/core';
import type { Recording, SessionRecord } from '@palimpsest/formats';
import { newBreath } from '../breath.ts';
import { hasSealedSummary } from '../held/sealed.ts';
import { newPrefixCache } from '../money/prefix-cache.ts';
import type { WordBook } from '../words/word-book.ts';
import type { Questions } from './asked.ts';
import type { Outcome, Policy } from './outcome.ts';
import { type Held, newWitness, type Witness } from './witness.ts';

/** What a replay needs of a recording: what was said, and what its own agent saw of it. */
export type Replayable = SessionRecord & Pick<Recording, 'viewAt' | 'viewBefore'>;

/** One course of a session's views; what was held is still to be told. */
export interface Life extends Omit<Outcome, keyof Held>, Pick<Witness, 'testify'> {}

interface ReviewOptions {
  readonly signal: AbortSignal;
  readonly onCall?: (policy: Policy) => void;
}

/**
 * The views that the recording's own agent had at each of its calls, in the window of its own model, billed as ours are.
 * A summary of its own counts as one more request behind the same prefix, and what was written.
 */
export async function reviewRecording(
  record: Replayable,
  questions: Questions,
  book: WordBook,
  { signal, onCall }: ReviewOptions,
): Promise<Life> {
  const { messages, compactions } = record;
  const breathe = newBreath(signal);
  const cache = newPrefixCache(estimateText(record.system ?? ''));
  const { look, testify } = newWitness(questions, book);
  let [call, told, written, sealed] = [0, 0, 0, 0];
  let [when, isUnread]: [number | undefined, boolean] = [undefined, false];
  for (const [at, message] of messages.entries()) {
    for (; (compactions[told]?.at ?? Number.POSITIVE_INFINITY) <= at; told++) {
      const { summary, type, unread, when: asked } = compactions[told] ?? {};
      if (type !== 'clear') isUnread = unread !== undefined;
      if (summary === undefined) continue;
      cache.summarize(record.viewBefore(told), asked ?? when, estimateText(summary));
      written++;
    }
    if (message.role === 'assistant') {
      await breathe();
      const view = record.viewAt(at);
      cache.request(view, when);
      if (isUnread || hasSealedSummary(view)) sealed++;
      else look(call, view);
      call++;
      onCall?.('recording');
    }
    when = message.at ?? when;
  }
  return { preset: 'recording', ...cache.bill(), compactions: told, written, unfit: 0, sealed, testify };
}
