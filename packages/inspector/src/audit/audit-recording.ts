import { type Message, type PresetName, type Problem, presets, repair } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import {
  type Boundary,
  type CompactionMeasure,
  type CompactionMeter,
  findRepeats,
  findSurroundings,
  listBoundaries,
  newCompactionMeter,
  type Repeats,
} from '@palimpsest/measure';
import { knownPrices } from '@palimpsest/wire';
import type { Unread } from '../model/inspection.ts';
import { type CacheBreak, cacheBreaksOf } from './cache-breaks.ts';

/** One compaction of the recording: what it left, and what was missed afterwards. */
export interface CompactionAudit extends CompactionMeasure {
  /** Counted from 1; a mere clearing has none. */
  readonly boundary?: number;
  readonly type: string;
  readonly trigger?: string;
  /** How many messages had been said. */
  readonly at: number;
  readonly summaryChars?: number;
  /** Why its summary cannot be read, and what it lost cannot be judged. */
  readonly unread?: Unread;
  readonly messagesHidden: number;
  readonly resultsCleared: number;
  /** Model calls until the next one. */
  readonly callsAfter: number;
  readonly repeats: Repeats;
  /** What it cost to send the results of `repeats` once more, in dollars, where the model's price is known. */
  readonly repeatsMoney?: number;
  /** What its view breaks that the transcript does not. */
  readonly problems: readonly Problem[];
}

/** What the compactions of a recording lost, what that cost, and what others would have kept. */
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

/** Audits take a while: how to stop one, and how far it is. */
export interface AuditOptions {
  readonly signal: AbortSignal;
  readonly onStep?: (step: string) => void;
}

const PRESETS = Object.keys(presets) as readonly PresetName[];

const countAnswers = (messages: readonly Message[]): number =>
  messages.filter((message) => message.role === 'assistant').length;

/** Why did the agent forget? */
export async function auditRecording(recording: Recording, options: AuditOptions): Promise<AuditReport> {
  const { messages, format, notes } = recording;
  const meter = newCompactionMeter(recording);
  const problems = repair(messages).report;
  const compactions: CompactionAudit[] = [];
  for (const boundary of listBoundaries(recording))
    compactions.push(await auditCompaction(recording, boundary, meter, problems, options));
  return {
    format,
    messages: messages.length,
    calls: countAnswers(messages),
    compactions,
    problems,
    cacheBreaks: cacheBreaksOf(recording, knownPrices(recording.model ?? '')),
    notes,
  };
}

async function auditCompaction(
  recording: Recording,
  boundary: Boundary,
  meter: CompactionMeter,
  knownProblems: readonly Problem[],
  { signal, onStep }: AuditOptions,
): Promise<CompactionAudit> {
  const { index, number, compaction } = boundary;
  const { type, trigger, at, summary, hidden, cleared } = compaction;
  const step = `Compaction ${index + 1} of ${recording.compactions.length}`;
  onStep?.(`${step}…`);
  const { tokensBefore, tokens, sealed, losses, ours } = await meter.measure(boundary, {
    presets: PRESETS,
    signal,
    onPreset: (preset) => onStep?.(`${step}, as ${preset} would…`),
  });
  const { before, left, after } = findSurroundings(recording, boundary);
  const repeats = findRepeats(before, left, after, cleared);
  const prices = knownPrices(recording.model ?? '');
  const repeated = [...repeats.reads, ...repeats.commands].reduce((sum, { tokens: size }) => sum + size, 0);
  const known = new Set(knownProblems.map(({ code, message }) => `${code} ${message}`));
  return {
    ...(number === undefined ? {} : { boundary: number }),
    type,
    ...(trigger === undefined ? {} : { trigger }),
    at,
    tokensBefore,
    tokens,
    sealed,
    ...(sealed ? { unread: compaction.unread ?? 'encrypted' } : {}),
    ...(summary === undefined ? {} : { summaryChars: summary.length }),
    messagesHidden: hidden.length,
    resultsCleared: cleared.length,
    callsAfter: countAnswers(after),
    losses,
    repeats,
    ...(prices === undefined ? {} : { repeatsMoney: (repeated * prices.cacheWrite) / 1e6 }),
    problems: repair(left).report.filter(({ code, message }) => !known.has(`${code} ${message}`)),
    ours,
  };
}
