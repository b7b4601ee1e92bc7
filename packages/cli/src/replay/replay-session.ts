import { type BudgetOptions, estimateText, type PresetName, presets } from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { liveThrough } from '../recording/live-through.ts';
import { CLASSES, type Class, newWordBook, type Uses, type WordBook } from '../recording/word-book.ts';
import { newWordCount } from '../recording/word-count.ts';
import { type Bill, newPrefixCache } from './prefix-cache.ts';

/** How many of the things that were needed were there. */
export interface Share {
  readonly held: number;
  readonly needed: number;
}

export type Recalled = Readonly<Record<Class, Share>>;

/** What a preset made of a session. */
export interface Outcome extends Bill {
  readonly preset: PresetName;
  /** Walks that changed what the model had been shown: each breaks the cache. */
  readonly compactions: number;
  /** Calls whose view did not fit. */
  readonly unfit: number;
  readonly recall: Recalled;
}

export interface ReplayOptions extends BudgetOptions {
  readonly presets: readonly PresetName[];
  readonly signal: AbortSignal;
  readonly onCall?: () => void;
}

interface Lived extends Omit<Outcome, 'recall'> {
  /** Per call; what came before the first edit is all there. */
  readonly recalls: readonly Recalled[];
  /** Index of the first call whose view hid something. */
  readonly firstHidden: number;
}

/**
 * Walks a recording through each preset, call by call. Recall is taken at every call from the first on at which one of the
 * presets hid something, so that all are asked for the same: of what the agent used in its answer and had seen before,
 * how much did the view hold that it would have answered from?
 */
export async function replaySession(record: SessionRecord, options: ReplayOptions): Promise<readonly Outcome[]> {
  const book = newWordBook(record.messages);
  const needs = needsOf(record, book);
  const lives: Lived[] = [];
  for (const preset of options.presets) lives.push(await lived(record, preset, book, needs, options));
  const from = Math.min(...lives.map((life) => life.firstHidden));
  return lives.map(({ recalls, firstHidden: _, ...life }) => ({ ...life, recall: sumOf(recalls.slice(from)) }));
}

/** By index of the answer: what it used that had been seen before. */
function needsOf(record: SessionRecord, book: WordBook): ReadonlyMap<number, Uses> {
  const needs = new Map<number, Uses>();
  const seen = new Set<number>();
  for (const [at, message] of record.messages.entries()) {
    if (message.role === 'assistant') {
      const used = book.used(message);
      const known = (name: Class): readonly number[] => used[name].filter((number) => seen.has(number));
      needs.set(at, { identifiers: known('identifiers'), files: known('files'), commands: known('commands') });
    }
    for (const number of book.shown(message)) seen.add(number);
  }
  return needs;
}

async function lived(
  record: SessionRecord,
  preset: PresetName,
  book: WordBook,
  needs: ReadonlyMap<number, Uses>,
  options: ReplayOptions,
): Promise<Lived> {
  const { presets: _, onCall, ...settings } = options;
  const cache = newPrefixCache(estimateText(record.system ?? ''));
  const words = newWordCount(book);
  const recalls: Recalled[] = [];
  let [compactions, unfit, firstHidden] = [0, 0, Number.POSITIVE_INFINITY];
  await liveThrough(record, {
    ...settings,
    layers: presets[preset](),
    onCall({ at, view, when }) {
      if (view.receipt?.declared) compactions++;
      if (view.receipt !== undefined) firstHidden = Math.min(firstHidden, recalls.length);
      if (!view.fits) unfit++;
      cache.request(view.messages, when);
      words.show(view.messages);
      recalls.push(held(needs.get(at)!, words.holds));
      onCall?.();
    },
  });
  return { preset, ...cache.bill(), compactions, unfit, recalls, firstHidden };
}

const shares = (make: (name: Class) => Share): Recalled =>
  Object.fromEntries(CLASSES.map((name) => [name, make(name)])) as Recalled;

const held = (uses: Uses, holds: (number: number) => boolean): Recalled =>
  shares((name) => ({ held: uses[name].filter(holds).length, needed: uses[name].length }));

export const sumOf = (recalls: readonly Recalled[]): Recalled =>
  shares((name) => ({
    held: recalls.reduce((sum, one) => sum + one[name].held, 0),
    needed: recalls.reduce((sum, one) => sum + one[name].needed, 0),
  }));
