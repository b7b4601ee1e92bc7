import { estimateMessage, type Message, type PresetName } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { newBreath } from '../breath.ts';
import { findLosses, type Losses } from '../held/losses.ts';
import { hasSealedSummary } from '../held/sealed.ts';
import { memoize } from '../memoize.ts';
import { findNeedsAfter } from '../needs/needs-after.ts';
import { readWindow } from '../read-window.ts';
import { newWordBook } from '../words/word-book.ts';
import type { Boundary } from './boundaries.ts';
import { makeOurView } from './our-view.ts';

/** A view, and what it lost of what was needed after it. */
export interface Kept {
  readonly tokens: number;
  readonly losses: Losses;
}

/** One compaction of the recording: what it left, what was missed afterwards, and what others would have left in its place. */
export interface CompactionMeasure extends Kept {
  readonly tokensBefore: number;
  /** Its summary is encrypted or not in the file: what it holds nobody can say, and `losses` are of the messages beside it. */
  readonly sealed: boolean;
  /** The same measure for what our presets make of the same view in the same room. */
  readonly ours: readonly (Kept & { readonly preset: PresetName })[];
}

export interface MeasureOptions {
  readonly presets: readonly PresetName[];
  readonly signal: AbortSignal;
  readonly onPreset?: (preset: PresetName) => void;
}

/** The views around a compaction: what the model saw before it and right after it, and what was said until the next. */
export interface Surroundings {
  readonly before: readonly Message[];
  readonly left: readonly Message[];
  readonly after: readonly Message[];
}

export function findSurroundings(recording: Recording, { index, compaction }: Boundary): Surroundings {
  const { messages, compactions } = recording;
  return {
    before: recording.viewBefore(index),
    left: recording.viewAfter(index),
    after: messages.slice(compaction.at, compactions[index + 1]?.at ?? messages.length),
  };
}

export interface CompactionMeter {
  /** What the recorded compaction kept, and what each preset would have. */
  measure(boundary: Boundary, options: MeasureOptions): Promise<CompactionMeasure>;
  /** What any other view in its place would have lost. */
  findLosses(boundary: Boundary, view: readonly Message[]): Losses;
}

/** Measures the compactions of one recording: the words of its messages are read once for all of them. */
export function newCompactionMeter(recording: Recording): CompactionMeter {
  const book = newWordBook(recording.messages);
  // Counting is most of the work, and every preset counts the same messages.
  const count = memoize(estimateMessage);
  const sizeOf = (view: readonly Message[]): number => view.reduce((sum, message) => sum + count(message), 0);
  const needsOf = memoize((boundary: Boundary) => {
    const { before, after } = findSurroundings(recording, boundary);
    return findNeedsAfter(before, after, book);
  });
  return {
    async measure(boundary, { presets, signal, onPreset }) {
      const breathe = newBreath(signal);
      const { before, left } = findSurroundings(recording, boundary);
      const needs = needsOf(boundary);
      const tokens = sizeOf(left);
      const shown = new Set(before.map((message) => message.id));
      const keepsTail = left.some((message) => shown.has(message.id));
      const ours: (Kept & { preset: PresetName })[] = [];
      for (const preset of presets) {
        onPreset?.(preset);
        await breathe();
        const view = await makeOurView(
          before,
          { window: readWindow(recording), tokens, keepsTail },
          preset,
          count,
          signal,
        );
        ours.push({ preset, tokens: view.tokens, losses: findLosses(view.messages, needs, book) });
      }
      const sealed = hasSealedSummary(left) || boundary.compaction.unread !== undefined;
      return { tokensBefore: sizeOf(before), tokens, sealed, losses: findLosses(left, needs, book), ours };
    },
    findLosses: (boundary, view) => findLosses(view, needsOf(boundary), book),
  };
}
