import { type BudgetOptions, estimateText, type PresetName, presets } from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { addRecalls, measureRecall, type Recall } from '../held/share.ts';
import { newViewWords } from '../held/view-words.ts';
import { newPrefixCache } from '../money/prefix-cache.ts';
import { findNeedsAhead } from '../needs/needs-ahead.ts';
import { newWordBook, type Uses, type WordBook } from '../words/word-book.ts';
import { liveThrough } from './live-through.ts';
import type { Outcome, Policy } from './outcome.ts';
import { type Life, type Replayable, reviewRecording } from './review-recording.ts';

export interface ReplayOptions extends BudgetOptions {
  readonly presets: readonly PresetName[];
  readonly signal: AbortSignal;
  readonly onCall?: (preset: Policy) => void;
}

interface PresetLife extends Life {
  /** The first call whose view hid something. */
  readonly firstHidden: number;
}

/**
 * Walks a recording through each preset, call by call; the views that its own agent had come last, by the same prices and
 * for the same needs. Recall: of what the agent used in its next answers and had seen before, how much does the view hold?
 * It is taken from the first call on at which one of the presets hid something, so that all are asked for the same.
 */
export async function replaySession(record: Replayable, options: ReplayOptions): Promise<readonly Outcome[]> {
  const book = newWordBook(record.messages);
  const needs = findNeedsAhead(record, book);
  const lives: PresetLife[] = [];
  for (const preset of options.presets) lives.push(await replayPreset(record, preset, book, needs, options));
  const from = Math.min(...lives.map((life) => life.firstHidden));
  const own = await reviewRecording(record, book, needs, options);
  return [...lives.map(({ firstHidden: _, ...life }) => life), own].map(({ recalls, ...life }) => ({
    ...life,
    recall: addRecalls([...recalls].flatMap(([call, recall]) => (call < from ? [] : recall))),
  }));
}

async function replayPreset(
  record: SessionRecord,
  preset: PresetName,
  book: WordBook,
  needs: ReadonlyMap<number, Uses>,
  options: ReplayOptions,
): Promise<PresetLife> {
  const { presets: _, onCall, ...settings } = options;
  const cache = newPrefixCache(estimateText(record.system ?? ''));
  const words = newViewWords(book);
  const recalls = new Map<number, Recall>();
  let [compactions, unfit, firstHidden] = [0, 0, Number.POSITIVE_INFINITY];
  await liveThrough(record, {
    ...settings,
    layers: presets[preset](),
    onCall({ number, view, when }) {
      const call = number - 1;
      if (view.receipt?.declared) compactions++;
      if (view.receipt !== undefined) firstHidden = Math.min(firstHidden, call);
      if (!view.fits) unfit++;
      cache.request(view.messages, when);
      const needed = needs.get(call);
      if (needed !== undefined) {
        words.update(view.messages);
        recalls.set(call, measureRecall(needed, words.has));
      }
      onCall?.(preset);
    },
  });
  return { preset, ...cache.bill(), compactions, unfit, sealed: 0, recalls, firstHidden };
}
