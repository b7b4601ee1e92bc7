import type { Json } from '../../message/message.ts';
import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { worthOf } from '../evidence/rank-identifiers.ts';
import { type IdentifierKind, identifierKind, isLineNumber, mayCountLines } from '../evidence/scan-identifiers.ts';
import { hashToken, startScan, type TokenScan } from '../evidence/scan-tokens.ts';
import {
  addCounted,
  addMet,
  countMet,
  findMet,
  isMetTelling,
  keepMet,
  kindOfMet,
  lengthOfMet,
  type MetNames,
  nameOfMet,
  newMetNames,
  type Source,
  sources,
  toEvidence,
  touchMet,
  weighMet,
} from './met-names.ts';
import { none } from './name-table.ts';
import { fillBatch, newTokenBatch, type TokenBatch } from './token-batch.ts';

/** Identifiers of a text, in order: where each begins, and its number. */
export interface FoundNames {
  count: number;
  readonly starts: Int32Array;
  readonly numbers: Int32Array;
}

export interface IdentifierTally {
  /** Goes on in a text by some identifiers and counts them; there are none at its end. What it answers holds until it is asked again. */
  next(scan: TokenScan, source: Source): FoundNames;
  /** Counts all of a text. */
  scan(text: string, source: Source): void;
  count(identifier: string, kind: IdentifierKind, source: Source): void;
  /** Moves on: texts scanned from here on are newer by so many characters. */
  advance(chars: number): void;
  readonly position: number;
  /** Forgets the identifiers least likely needed, once there are more than `over`; answers whether they were numbered anew. */
  prune(over: number, keep: number): boolean;
  nameOf(number: number): string;
  /** Whether one says something of this session. */
  isTelling(number: number): boolean;
  /** What each is worth here. */
  weighAll(): NameWorths;
  toEvidence(): readonly IdentifierEvidence[];
}

/** What identifiers are worth at one place, nothing where they were forgotten. */
export interface NameWorths {
  readonly byNumber: Float64Array;
  byName(name: string): number;
}

/** Counts identifiers over a span, continuing from an earlier one. */
export function newIdentifierTally(previous: readonly IdentifierEvidence[], from: number): IdentifierTally {
  const names = newMetNames();
  for (const one of previous) addCounted(names, one);
  let position = from;
  /** What all are worth where they were last weighed. */
  let weights = new Float64Array(0);
  let isWeighed = false;

  const find = (identifier: string): number =>
    findMet(names, identifier, 0, identifier.length, hashToken(identifier, 0, identifier.length));

  const weighHere = (): Float64Array => {
    if (isWeighed) return weights;
    if (weights.length < names.table.size) weights = new Float64Array(2 * names.table.size);
    weighMet(names, position, weights);
    isWeighed = true;
    return weights;
  };

  const countAt = (number: number, source: number): void => {
    countMet(names, number, source, position);
    isWeighed = false;
  };

  const batch = newTokenBatch();
  const found: FoundNames = { count: 0, starts: batch.starts, numbers: new Int32Array(batch.starts.length) };

  const next = (scan: TokenScan, source: Source): FoundNames => {
    do {
      fillBatch(batch, scan);
      touchMet(names, batch);
      meetAll(names, batch, scan.text, found, sources[source], position);
    } while (found.count === 0 && batch.size > 0);
    isWeighed = isWeighed && found.count === 0;
    return found;
  };

  return {
    next,
    scan(text, source) {
      const scan = startScan(text);
      while (next(scan, source).count > 0);
    },
    count(identifier, kind, source) {
      const known = find(identifier);
      const hash = hashToken(identifier, 0, identifier.length);
      countAt(known === none ? addMet(names, identifier, kind, position, hash) : known, sources[source]);
    },
    advance(chars) {
      position += chars;
      isWeighed = isWeighed && chars === 0;
    },
    get position() {
      return position;
    },
    prune(over, keep) {
      if (names.all.length <= over) return false;
      const kept = pickWorthiest(names, weighHere(), keep);
      const isAnew = keepMet(names, kept);
      if (isAnew) weights = new Float64Array(0);
      isWeighed = !isAnew;
      return isAnew;
    },
    nameOf: (number) => nameOfMet(names, number),
    isTelling: (number) => isMetTelling(names, number),
    weighAll() {
      const byNumber = weighHere();
      return { byNumber, byName: (name) => byNumber[find(name)] ?? 0 };
    },
    toEvidence: () => names.all.map((number) => toEvidence(names, number)),
  };
}

/** Finds and counts the identifiers among some tokens; where they begin takes the place of where the tokens do. */
function meetAll(
  names: MetNames,
  batch: TokenBatch,
  text: string,
  found: FoundNames,
  source: number,
  position: number,
): void {
  const { size, starts } = batch;
  let count = 0;
  for (let i = 0; i < size; i++) {
    const number = meet(names, batch, i, text, position);
    if (number === none) continue;
    countMet(names, number, source, position);
    found.starts[count] = starts[i] as number;
    found.numbers[count++] = number;
  }
  found.count = count;
}

/** The identifier at a token of a text; `none` where it is none, or counts lines. */
function meet(names: MetNames, batch: TokenBatch, token: number, text: string, position: number): number {
  const start = batch.starts[token] as number;
  const end = batch.ends[token] as number;
  const behind = batch.behinds[token] as number;
  const hash = batch.hashes[token] as number;
  const known = findMet(names, text, start, end, hash);
  if (known !== none)
    return mayCountLines(text, start, kindOfMet(names, known)) && isLineNumber(text, start, behind) ? none : known;
  const identifier = text.slice(start, end);
  const kind = identifierKind(identifier);
  if (kind === undefined || (mayCountLines(text, start, kind) && isLineNumber(text, start, behind))) return none;
  return addMet(names, identifier, kind, position, hash);
}

/** What each is worth for its length. */
function listWorths(met: MetNames, weights: Float64Array): Float64Array {
  const { all } = met;
  const worths = new Float64Array(all.length);
  for (let i = 0; i < worths.length; i++)
    worths[i] = worthOf(weights[all[i] as number] as number, lengthOfMet(met, all[i] as number));
  return worths;
}

/** The numbers of those that are worth most for their length, in their order; of those that are worth the same the first by name. */
function pickWorthiest(met: MetNames, weights: Float64Array, most: number): number[] {
  const { all } = met;
  const worths = listWorths(met, weights);
  const { least, ties } = findLeast(worths, most);
  const tied = all.filter((_, i) => worths[i] === least).map((number) => ({ number, name: nameOfMet(met, number) }));
  tied.sort((a, b) => (a.name < b.name ? -1 : 1));
  const equals = new Set(tied.slice(0, ties).map(({ number }) => number));
  return keepAbove(all, worths, least, equals, weights);
}

/** Those above the least, and some of its equals; the others are worth nothing from here on. */
function keepAbove(
  all: readonly number[],
  worths: Float64Array,
  least: number,
  equals: ReadonlySet<number>,
  weights: Float64Array,
): number[] {
  const kept: number[] = [];
  for (let i = 0; i < worths.length; i++) {
    const number = all[i] as number;
    const worth = worths[i] as number;
    if (worth > least || (worth === least && equals.has(number))) kept.push(number);
    else weights[number] = 0;
  }
  return kept;
}

/** Longer texts in a call's input are what it writes; shorter ones are what it is about. */
const aboutChars = 200;

/** Takes in a text of a call's input; `isAbout` where it says what the call is about. */
export type ScanText = (text: string, isAbout: boolean) => void;

/** Counts what stands in a call's input; answers its size in characters. */
export function scanInput(input: Json, tally: IdentifierTally, scanText: ScanText, name = ''): number {
  if (typeof input === 'string') {
    const isAbout = input.length <= aboutChars || name === 'command' || name === 'cmd';
    scanText(input, isAbout);
    return input.length;
  }
  if (typeof input === 'number') {
    if (Number.isFinite(input) && Math.abs(input) >= 100) tally.count(String(input), 'number', 'inCalls');
    return 4;
  }
  if (typeof input !== 'object' || input === null) return 4;
  let chars = 0;
  for (const [key, value] of Object.entries(input)) chars += scanInput(value as Json, tally, scanText, key);
  return chars;
}
