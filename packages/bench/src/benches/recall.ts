import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { digest, type Message } from '@palimpsest/core';
import { FormatError, type Recording, readSession } from '@palimpsest/formats';
import type { Bench } from '../bench.ts';
import { type Measure, type Needed, neededAfter, shareHeld, shownText } from '../recall-score.ts';

/** A place where a recorded agent gave up its history for a summary, and went on working. */
interface Boundary {
  readonly name: string;
  readonly format: string;
  readonly summary: string;
  /** What went out of the view there. */
  readonly before: readonly Message[];
  readonly needed: Needed;
}

/** With fewer calls after it, a boundary says nothing about what was needed. */
const LEAST_CALLS = 5;
/** A history shorter than its summary (an imported one) is no compaction. */
const LEAST_CHARS = 20_000;

/** The bars were set on summaries of 12,700 characters (median); a third of that cannot hold what they ask for. */
const BAR_CHARS = 8_000;

const SHARES = [1, 0.5, 0.25] as const;
const MEASURES: readonly Measure[] = ['identifiers', 'fromMemory', 'files', 'commands'];
const BARS: readonly (readonly [row: string, measure: Measure, least: number])[] = [
  ['digest 100 %', 'identifiers', 0.85],
  ['digest 100 %', 'files', 0.98],
  ['digest 100 %', 'commands', 0.9],
  ['digest 25 %', 'identifiers', 0.55],
  ['digest 25 %', 'files', 0.9],
  ['digest 25 %', 'commands', 0.85],
];

const lengthOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.parts.reduce((all, part) => all + shownText(part).length, 0), 0);

const callsIn = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.parts.filter((part) => part.type === 'call').length, 0);

function boundariesOf(recording: Recording, name: string): readonly Boundary[] {
  return recording.compactions.flatMap(({ type, at, summary, hidden }, index) => {
    if (type !== 'summary' || summary === undefined || summary.trim() === '') return [];
    const next = recording.compactions.slice(index + 1).find((later) => later.type !== 'clear' && later.at > at);
    const after = recording.messages.slice(at, next?.at ?? recording.messages.length);
    const gone = new Set(hidden);
    const before = recording.viewBefore(index).filter((message) => gone.has(message.id));
    if (callsIn(after) < LEAST_CALLS || lengthOf(before) < LEAST_CHARS) return [];
    return [
      { name: `${name}#${index + 1}`, format: recording.format, summary, before, needed: neededAfter(before, after) },
    ];
  });
}

async function* filesUnder(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (/\.(?:jsonl?|traj)$/.test(entry.name)) yield path;
  }
}

async function boundariesUnder(folder: string, print: (line: string) => void): Promise<readonly Boundary[]> {
  const found: Boundary[] = [];
  for await (const path of filesUnder(folder)) {
    try {
      found.push(...boundariesOf(readSession(await readFile(path)), basename(path)));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      print(`left out: ${basename(path)}: ${error.message.split('\n')[0]}`);
    }
  }
  return found;
}

/** The end of what went, as it was, cut to the size of the summary. */
function rawTail(before: readonly Message[], chars: number): string {
  let tail = '';
  for (let i = before.length - 1; i >= 0 && tail.length < chars; i--)
    tail = `${before[i]!.parts.map(shownText).join('\n')}\n${tail}`;
  return tail.slice(-chars);
}

type Row = Record<Measure, number[]>;

function score(boundaries: readonly Boundary[]): {
  readonly rows: ReadonlyMap<string, Row>;
  readonly slowestMs: number;
} {
  const rows = new Map<string, Row>();
  let slowestMs = 0;
  const enter = (name: string, text: string, needed: Needed): void => {
    const row = rows.get(name) ?? { identifiers: [], fromMemory: [], files: [], commands: [] };
    rows.set(name, row);
    const held = shareHeld(text, needed);
    for (const measure of MEASURES) if (held[measure] !== undefined) row[measure].push(held[measure]);
  };
  for (const { summary, before, needed } of boundaries) {
    enter("vendor's summary", summary, needed);
    enter('raw tail 100 %', rawTail(before, summary.length), needed);
    for (const share of SHARES) {
      const start = performance.now();
      const made = digest(before, { maxChars: Math.max(64, Math.floor(summary.length * share)) });
      slowestMs = Math.max(slowestMs, performance.now() - start);
      enter(`digest ${share * 100} %`, made.text, needed);
    }
  }
  return { rows, slowestMs };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number): string => (Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)} %`);

function printTable(print: (line: string) => void, rows: ReadonlyMap<string, Row>): void {
  print('| | identifiers | first from memory | files again | commands again |');
  print('|---|---|---|---|---|');
  for (const [name, row] of rows)
    print(`| ${name} | ${MEASURES.map((measure) => percent(mean(row[measure]))).join(' | ')} |`);
}

export const recallBench: Bench = async (print, args) => {
  const { values } = parseArgs({ args: [...args], options: { sessions: { type: 'string' } } });
  if (values.sessions === undefined)
    throw new Error('say where recorded sessions are: npm run bench -- recall --sessions FOLDER');
  const boundaries = await boundariesUnder(values.sessions, print);
  if (boundaries.length === 0)
    throw new Error(`no session under ${values.sessions} has a compaction with a summary and work after it`);
  for (const format of new Set(boundaries.map((one) => one.format)))
    report(
      print,
      format,
      boundaries.filter((one) => one.format === format),
    );
  return judge(
    print,
    boundaries.filter((one) => one.summary.length >= BAR_CHARS),
  );
};

function report(print: (line: string) => void, format: string, boundaries: readonly Boundary[]): void {
  const sizes = boundaries.map((one) => one.summary.length).sort((a, b) => a - b);
  const { rows, slowestMs } = score(boundaries);
  const median = sizes[sizes.length >> 1]!.toLocaleString('en-US');
  print('');
  print(
    `${format}: ${boundaries.length} boundaries, summaries of ${median} characters (median); means over boundaries.`,
  );
  print('');
  printTable(print, rows);
  print('');
  print(`Slowest digest: ${slowestMs.toFixed(0)} ms.`);
}

function judge(print: (line: string) => void, boundaries: readonly Boundary[]): boolean {
  const { rows } = score(boundaries);
  let met = boundaries.length > 0;
  print('');
  print(
    `Bars, on the ${boundaries.length} boundaries with summaries of ${BAR_CHARS.toLocaleString('en-US')} characters and more:`,
  );
  for (const [row, measure, least] of BARS) {
    const value = mean(rows.get(row)?.[measure] ?? []);
    const isMet = value >= least;
    met &&= isMet;
    print(`${row}, ${measure}: ${percent(value)}; the bar is ${percent(least)}: ${isMet ? 'met' : 'MISSED'}.`);
  }
  return met;
}
