import { digest, type Message, text } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import {
  type Boundary,
  type CompactionMeter,
  type NeedKind,
  newCompactionMeter,
  showMessage,
} from '@palimpsest/measure';
import type { Bench, Print } from '../bench.ts';
import { findMedian, formatNumber, formatPercent, formatVerdict } from '../figures.ts';
import { type KeptTable, newKeptTable } from '../kept-table.ts';
import { CORPUS_OPTIONS, listSummaries, readCorpus, readRecordings } from '../recordings.ts';

/** The bars were set on summaries of 12,700 characters (median); a third of that cannot hold what they ask for. */
const BAR_CHARS = 8_000;
const LEAST_CHARS = 64;
const DIGEST_SHARES = [1, 0.5, 0.25] as const;
const COLUMNS = {
  identifiers: 'names',
  acted: 'names acted on',
  fromMemory: 'first from memory',
  relations: 'relations',
  files: 'files again',
  commands: 'commands again',
} as const;
/**
 * Some points below what the digest reached when they were set: they tell when it falls behind (docs/decisions/007-one-measure.md). At a
 * quarter names, relations and files are what was asked for.
 */
const BARS: readonly (readonly [row: string, kind: NeedKind, least: number])[] = [
  ['digest 100 %', 'identifiers', 0.79],
  ['digest 100 %', 'relations', 0.47],
  ['digest 100 %', 'files', 0.95],
  ['digest 100 %', 'commands', 0.9],
  ['digest 25 %', 'identifiers', 0.52],
  ['digest 25 %', 'relations', 0.24],
  ['digest 25 %', 'files', 0.85],
  ['digest 25 %', 'commands', 0.85],
];

/** The candidates over some of the summaries. */
interface Group {
  readonly table: KeptTable;
  readonly summaryChars: number[];
}

interface Seen {
  readonly byFormat: ReadonlyMap<string, Group>;
  readonly all: Group;
  /** The summaries that are long enough for the bars. */
  readonly long: Group;
  readonly slowestMs: number;
}

/** What else could stand in the summary's place, at its size and below: what would the view have held? */
export const recallBench: Bench<Seen> = {
  name: 'recall',
  takes: CORPUS_OPTIONS,
  async run(args, note) {
    const corpus = readCorpus('recall', args);
    const byFormat = new Map<string, Group>();
    const [all, long] = [newGroup(), newGroup()];
    let slowestMs = 0;
    for await (const { recording, project } of readRecordings(corpus, note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const group = byFormat.get(recording.format) ?? newGroup();
        byFormat.set(recording.format, group);
        const chars = boundary.compaction.summary?.length ?? 0;
        const groups = [group, all, ...(chars >= BAR_CHARS ? [long] : [])];
        slowestMs = Math.max(slowestMs, enterCandidates(recording, project, boundary, meter, groups));
      }
    }
    if (all.summaryChars.length === 0)
      throw new Error(`no session under ${corpus.folder} has a compaction with a summary`);
    return { byFormat, all, long, slowestMs };
  },
  print({ byFormat, all, long, slowestMs }, print) {
    for (const [format, group] of byFormat) printGroup(format, group, print);
    printGroup('all', all, print);
    print('');
    print(`Slowest digest: ${slowestMs.toFixed(0)} ms.`);
    return printBars(long, print);
  },
};

const newGroup = (): Group => ({ table: newKeptTable(), summaryChars: [] });

/** Scores every candidate; answers how long the slowest digest took, in milliseconds. */
function enterCandidates(
  recording: Recording,
  project: string,
  boundary: Boundary,
  meter: CompactionMeter,
  groups: readonly Group[],
): number {
  const { index, compaction } = boundary;
  const { summary = '', summaryId } = compaction;
  const left = recording.viewAfter(index);
  const gone = new Set(compaction.hidden);
  const before = recording.viewBefore(index).filter((message) => gone.has(message.id));
  const enter = (row: string, view: readonly Message[], size: number): void => {
    const losses = meter.findLosses(boundary, view);
    for (const { table } of groups) table.enter(row, { losses, project, size });
  };
  const enterText = (row: string, words: string): void =>
    enter(row, replaceSummary(words), words.length / Math.max(1, summary.length));
  const replaceSummary = (words: string): readonly Message[] =>
    left.map((message) => (message.id === summaryId ? { ...message, parts: [text(words)] } : message));
  for (const { summaryChars } of groups) summaryChars.push(summary.length);
  enter("vendor's summary", left, 1);
  enterText('raw tail 100 %', cutTail(before, summary.length));
  let slowestMs = 0;
  for (const share of DIGEST_SHARES) {
    const start = performance.now();
    const made = digest(before, { maxChars: Math.max(LEAST_CHARS, Math.floor(summary.length * share)) });
    slowestMs = Math.max(slowestMs, performance.now() - start);
    enterText(`digest ${share * 100} %`, made.text);
  }
  return slowestMs;
}

/** The end of what went, as it was, cut to the size of the summary. */
function cutTail(before: readonly Message[], chars: number): string {
  let tail = '';
  for (const message of before.toReversed()) {
    if (tail.length >= chars) break;
    tail = `${showMessage(message)}\n${tail}`;
  }
  return tail.slice(-chars);
}

function printGroup(name: string, { table, summaryChars }: Group, print: Print): void {
  print('');
  print(`${name}: ${summaryChars.length} summaries of ${formatNumber(findMedian(summaryChars))} characters (median).`);
  print('');
  table.print(COLUMNS, print);
}

function printBars({ table, summaryChars }: Group, print: Print): boolean {
  print('');
  print(`Bars, on the ${summaryChars.length} summaries of ${formatNumber(BAR_CHARS)} characters and more:`);
  let isMet = true;
  for (const [row, kind, least] of BARS) {
    const value = table.read(row, kind);
    // Where nothing was needed there is nothing to miss.
    const isReached = Number.isNaN(value) || value >= least;
    isMet &&= isReached;
    print(`${row}, ${kind}: ${formatPercent(value)}; the bar is ${formatPercent(least)}: ${formatVerdict(isReached)}.`);
  }
  return isMet;
}
