import { estimateMessage, type Message, type PresetName, type Summarizer, type View } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { newBreath } from '../breath.ts';
import { findLosses, type Losses } from '../held/losses.ts';
import { hasSealedSummary } from '../held/sealed.ts';
import { memoize } from '../memoize.ts';
import { findNeedsAfter } from '../needs/needs-after.ts';
import { readWindow } from '../read-window.ts';
import { answerAsModel } from '../replay/stand-in-model.ts';
import { newWordBook } from '../words/word-book.ts';
import type { Boundary } from './boundaries.ts';
import { makeOurView, type Room } from './our-view.ts';

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

/** What a preset keeps with a model's summary in its view, and what code keeps by itself in the room that the summary leaves. */
export interface SummaryMeasure {
  readonly preset: PresetName;
  /** The tokens of the summary, as the stand-in wrote it. */
  readonly written: number;
  readonly withSummary: Kept;
  readonly besideIt: Kept;
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
  /** The same with the stand-in's summary in the view, at the same size. */
  measureSummary(boundary: Boundary, options: MeasureOptions): Promise<readonly SummaryMeasure[]>;
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
  const roomAt = (boundary: Boundary): Room => {
    const { before, left } = findSurroundings(recording, boundary);
    const shown = new Set(before.map((message) => message.id));
    const keepsTail = left.some((message) => shown.has(message.id));
    const answer = before.findIndex(({ role }) => role === 'assistant');
    const head = before
      .slice(0, Math.max(0, answer))
      .filter((message) => message.role === 'user' && !left.includes(message));
    return { window: readWindow(recording), tokens: sizeOf(left), headTokens: sizeOf(head), keepsTail };
  };
  const keepIn = async (boundary: Boundary, room: Room, preset: PresetName, signal: AbortSignal): Promise<Kept> => {
    const { before } = findSurroundings(recording, boundary);
    const { tokens, messages } = await fitView(room, (asked) => makeOurView(before, asked, preset, count, signal));
    return { tokens: tokens - room.headTokens, losses: findLosses(messages, needsOf(boundary), book) };
  };
  return {
    async measure(boundary, { presets, signal, onPreset }) {
      const breathe = newBreath(signal);
      const { before, left } = findSurroundings(recording, boundary);
      const room = roomAt(boundary);
      const ours: (Kept & { preset: PresetName })[] = [];
      for (const preset of presets) {
        onPreset?.(preset);
        await breathe();
        ours.push({ preset, ...(await keepIn(boundary, room, preset, signal)) });
      }
      const sealed = hasSealedSummary(left) || boundary.compaction.unread !== undefined;
      const losses = findLosses(left, needsOf(boundary), book);
      return { tokensBefore: sizeOf(before), tokens: room.tokens, sealed, losses, ours };
    },
    async measureSummary(boundary, { presets, signal, onPreset }) {
      const breathe = newBreath(signal);
      const room = roomAt(boundary);
      const measured: SummaryMeasure[] = [];
      for (const preset of presets) {
        onPreset?.(preset);
        await breathe();
        const { summarizer, readWritten } = newStandIn();
        const withSummary = await keepIn(boundary, { ...room, summarizer }, preset, signal);
        const written = readWritten();
        const tokens = Math.max(1, room.tokens - written);
        measured.push({
          preset,
          written,
          withSummary,
          besideIt: await keepIn(boundary, { ...room, tokens }, preset, signal),
        });
      }
      return measured;
    },
    findLosses: (boundary, view) => findLosses(view, needsOf(boundary), book),
  };
}

/** Two views are of equal size within this. */
const EQUAL = 0.02;
const MOST_TRIES = 5;

/** The largest view that is no larger than the room: what is asked for is raised or lowered by what the last one missed it by. */
async function fitView(room: Room, make: (asked: Room) => Promise<View>): Promise<View> {
  /** Below 0: it fits, and leaves so much; above, it does not. */
  const missBy = ({ tokens }: View): number => (tokens - room.headTokens) / room.tokens - 1;
  const isBetter = (one: number, other: number): boolean => (one <= 0 && other <= 0 ? one > other : one < other);
  let best = await make(room);
  for (let tries = 1, asked = room.tokens, last = best; tries < MOST_TRIES; tries++) {
    if (missBy(best) <= 0 && missBy(best) >= -EQUAL) break;
    // A little below, so that the next one is not again over it by as little.
    asked *= (room.tokens * (1 - EQUAL / 4)) / Math.max(1, last.tokens - room.headTokens);
    last = await make({ ...room, tokens: Math.max(1, Math.round(asked)) });
    if (isBetter(missBy(last), missBy(best))) best = last;
  }
  return best;
}

/** A model for summaries, and how many tokens its last one had. */
function newStandIn(): { readonly summarizer: Summarizer; readonly readWritten: () => number } {
  let written = 0;
  const summarizer: Summarizer = {
    window: Number.POSITIVE_INFINITY,
    sharesPrefix: true,
    async summarize(request) {
      const answer = answerAsModel(request);
      written = answer.written;
      return answer;
    },
  };
  return { summarizer, readWritten: () => written };
}
