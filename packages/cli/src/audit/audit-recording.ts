import { estimateMessage, type Message, type PresetName, type Problem, repair } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { newBreath } from '../../../measure/src/breath.ts';
import { ourView } from '../../../measure/src/compaction/our-view.ts';
import { onceEach } from '../../../measure/src/memoize.ts';
import { type Losses, lossesIn, neededAfter } from '../../../measure/src/needs/needs-after.ts';
import { type Repeats, repeatsAfter } from '../../../measure/src/needs/repeats.ts';
import { newWordBook, type WordBook } from '../../../measure/src/words/word-book.ts';
import { PRESETS } from '../options/shared-options.ts';
import { type Boundary, boundariesOf } from '../recordings/view-until.ts';
import { type CacheBreak, cacheBreaksOf } from './cache-breaks.ts';

export interface Kept {
  readonly tokens: number;
  readonly losses: Losses;
}

/** One compaction of the recording: what it left, and what was missed afterwards. */
export interface CompactionAudit extends Kept {
  /** As `--until boundary:K` counts them; a mere clearing has none. */
  readonly boundary?: number;
  readonly type: string;
  readonly trigger?: string;
  /** How many messages had been said. */
  readonly at: number;
  readonly tokensBefore: number;
  readonly summaryChars?: number;
  readonly messagesHidden: number;
  readonly resultsCleared: number;
  /** Model calls until the next one. */
  readonly callsAfter: number;
  readonly repeats: Repeats;
  /** What its view breaks that the transcript does not. */
  readonly problems: readonly Problem[];
  /** The same measure for what our presets make of the same view in the same room. */
  readonly ours: readonly (Kept & { readonly preset: PresetName })[];
}

export interface AuditReport {
  readonly format: string;
  readonly messages: number;
  readonly calls: number;
  readonly compactions: readonly CompactionAudit[];
  /** What is invalid in the transcript itself. */
  readonly problems: readonly Problem[];
  readonly cacheBreaks: readonly CacheBreak[];
  readonly notes: readonly string[];
}

export interface AuditOptions {
  readonly signal: AbortSignal;
  readonly onStep?: (step: string) => void;
}

const isAnswer = (message: Message): boolean => message.role === 'assistant';

/** Why did the agent forget? */
export async function auditRecording(recording: Recording, options: AuditOptions): Promise<AuditReport> {
  const { messages, format, notes } = recording;
  const book = newWordBook(messages);
  const breathe = newBreath(options.signal);
  const problems = repair(messages).report;
  // Counting is most of the work, and every preset counts the same messages.
  const count = onceEach(estimateMessage);
  const compactions: CompactionAudit[] = [];
  for (const boundary of boundariesOf(recording))
    compactions.push(await auditCompaction(recording, boundary, { book, count, breathe, problems, ...options }));
  return {
    format,
    messages: messages.length,
    calls: messages.filter(isAnswer).length,
    compactions,
    problems,
    cacheBreaks: cacheBreaksOf(recording),
    notes,
  };
}

interface Tools extends AuditOptions {
  readonly book: WordBook;
  readonly count: (message: Message) => number;
  readonly breathe: () => Promise<void>;
  readonly problems: readonly Problem[];
}

async function auditCompaction(recording: Recording, boundary: Boundary, tools: Tools): Promise<CompactionAudit> {
  const { book, count, breathe, signal, onStep } = tools;
  const { index, number, compaction } = boundary;
  const { type, trigger, at, summary, hidden, cleared } = compaction;
  const before = recording.viewBefore(index);
  const left = recording.viewAfter(index);
  const after = recording.messages.slice(at, recording.compactions[index + 1]?.at ?? recording.messages.length);
  const sizeOf = (view: readonly Message[]): number => view.reduce((sum, message) => sum + count(message), 0);
  onStep?.(`Compaction ${index + 1} of ${recording.compactions.length}…`);
  await breathe();
  const needed = neededAfter(before, after, book);
  const tokens = sizeOf(left);
  const kept = new Set(before.map((message) => message.id));
  const room = { tokens, keepsTail: left.some((message) => kept.has(message.id)) };
  const ours: (Kept & { preset: PresetName })[] = [];
  for (const preset of PRESETS) {
    onStep?.(`Compaction ${index + 1} of ${recording.compactions.length}, as ${preset} would…`);
    await breathe();
    const view = await ourView(before, room, preset, count, signal);
    ours.push({ preset, tokens: view.tokens, losses: lossesIn(view.messages, needed, book) });
  }
  const known = new Set(tools.problems.map(({ code, message }) => `${code} ${message}`));
  return {
    ...(number === undefined ? {} : { boundary: number }),
    type,
    ...(trigger === undefined ? {} : { trigger }),
    at,
    tokensBefore: sizeOf(before),
    tokens,
    ...(summary === undefined ? {} : { summaryChars: summary.length }),
    messagesHidden: hidden.length,
    resultsCleared: cleared.length,
    callsAfter: after.filter(isAnswer).length,
    losses: lossesIn(left, needed, book),
    repeats: repeatsAfter(before, left, after, cleared),
    problems: repair(left).report.filter(({ code, message }) => !known.has(`${code} ${message}`)),
    ours,
  };
}
