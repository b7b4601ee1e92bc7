import { type BudgetOptions, estimateText, type PresetName, presets } from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { newWordCount } from '../held/view-words.ts';
import { type Bill, newPrefixCache } from '../money/prefix-cache.ts';
import { needsAhead } from '../needs/needs-ahead.ts';
import { CLASSES, type Class, newWordBook, type Uses, type WordBook } from '../words/word-book.ts';
import { liveThrough } from './live-through.ts';

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
  readonly onCall?: (preset: PresetName) => void;
}

interface Lived extends Omit<Outcome, 'recall'> {
  /** By number of the call, from 0. */
  readonly recalls: ReadonlyMap<number, Recalled>;
  /** The first call whose view hid something. */
  readonly firstHidden: number;
}

/**
 * Walks a recording through each preset, call by call. Recall: of what the agent used in its next answers and had seen
 * before, how much does the view hold? It is taken from the first call on at which one of the presets hid something, so
 * that all are asked for the same.
 */
export async function replaySession(record: SessionRecord, options: ReplayOptions): Promise<readonly Outcome[]> {
  const book = newWordBook(record.messages);
  const needs = needsAhead(record, book);
  const lives: Lived[] = [];
  for (const preset of options.presets) lives.push(await lived(record, preset, book, needs, options));
  const from = Math.min(...lives.map((life) => life.firstHidden));
  return lives.map(({ recalls, firstHidden: _, ...life }) => ({
    ...life,
    recall: sumOf([...recalls].flatMap(([call, recalled]) => (call < from ? [] : recalled))),
  }));
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
  const recalls = new Map<number, Recalled>();
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
        words.show(view.messages);
        recalls.set(call, held(needed, words.holds));
      }
      onCall?.(preset);
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
