import {
  type BudgetOptions,
  estimateText,
  type Layer,
  type PresetName,
  presets,
  type Summarizer,
} from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { newPrefixCache, type PrefixCache } from '../money/prefix-cache.ts';
import { newWordBook, type WordBook } from '../words/word-book.ts';
import { listQuestions, type Questions } from './asked.ts';
import { liveThrough } from './live-through.ts';
import type { Outcome, Policy } from './outcome.ts';
import { type Life, type Replayable, reviewRecording } from './review-recording.ts';
import { answerAsModel } from './stand-in-model.ts';
import { newWitness } from './witness.ts';

export interface ReplayOptions extends BudgetOptions {
  readonly presets: readonly PresetName[];
  /** The layers of each; as the presets have them by default. */
  readonly layersOf?: (preset: PresetName) => readonly Layer[];
  /** Summaries come from a stand-in for a model and are billed; without it the digest is in their place. */
  readonly summaries?: boolean;
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
  const questions = listQuestions(record, book);
  const lives: PresetLife[] = [];
  for (const preset of options.presets) lives.push(await replayPreset(record, preset, questions, book, options));
  const from = Math.min(...lives.map((life) => life.firstHidden));
  const own = await reviewRecording(record, questions, book, options);
  return [...lives.map(({ firstHidden: _, ...life }) => life), own].map(({ testify, ...life }) => ({
    ...life,
    ...testify(from),
  }));
}

async function replayPreset(
  record: SessionRecord,
  preset: PresetName,
  questions: Questions,
  book: WordBook,
  options: ReplayOptions,
): Promise<PresetLife> {
  const { presets: _, layersOf = (name) => presets[name](), summaries = false, onCall, ...settings } = options;
  const cache = newPrefixCache(estimateText(record.system ?? ''));
  const { look, testify } = newWitness(questions, book);
  let [compactions, written, unfit, firstHidden] = [0, 0, 0, Number.POSITIVE_INFINITY];
  let asked: number | undefined;
  const summarizer = newStandIn(cache, settings.window, () => {
    written++;
    return asked;
  });
  await liveThrough(record, {
    ...settings,
    ...(summaries ? { ports: { summarizer } } : {}),
    layers: layersOf(preset),
    onCall({ number, view, when }) {
      const call = number - 1;
      asked = when;
      if (view.receipt?.declared) compactions++;
      if (view.receipt !== undefined) firstHidden = Math.min(firstHidden, call);
      if (!view.fits) unfit++;
      cache.request(view.messages, when);
      look(call, view.messages);
      onCall?.(preset);
    },
  });
  return { preset, ...cache.bill(), compactions, written, unfit, sealed: 0, testify, firstHidden };
}

/** It is the model of the conversation, so that a request behind the live prefix is served from its cache. */
const newStandIn = (cache: PrefixCache, window: number | undefined, noteOne: () => number | undefined): Summarizer => ({
  window: window ?? Number.POSITIVE_INFINITY,
  sharesPrefix: true,
  async summarize(request) {
    const { read, written, ...answer } = answerAsModel(request);
    const when = noteOne();
    if (request.form === 'same-prefix') cache.summarize(request.messages, when, written);
    else cache.summarizeApart(read, written);
    return answer;
  },
});
