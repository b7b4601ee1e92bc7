import type { IdentifierEvidence } from '../evidence/evidence.ts';
import type { IdentifierKind } from '../evidence/scan-identifiers.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { isTelling } from '../evidence/statement-names.ts';
import { isHyphened, weighUse } from '../evidence/weigh-name.ts';
import { addName, clearNames, findName, type NameTable, newNameTable, readName } from './name-table.ts';
import type { TokenBatch } from './token-batch.ts';

/** Where an identifier stood; what the user and the model wrote themselves weighs more than what a tool printed. */
export type Source = 'inWords' | 'inCalls' | 'inWritten' | 'inSaid' | 'inResults' | 'inErrors';

/** Where one stood, as it is counted: those of the user and the model first. */
export const sources: Readonly<Record<Source, number>> = {
  inWords: 0,
  inCalls: 1,
  inWritten: 2,
  inSaid: 3,
  inResults: 4,
  inErrors: 5,
};
const ownSources = 4;

const kinds: readonly IdentifierKind[] = ['path', 'name', 'flag', 'number', 'hash', 'url', 'variable'];

/** What need not be asked of an identifier again. */
const Flag = { kind: 7, telling: 8, hyphened: 16, forgotten: 32 } as const;

/** What is known of one takes a line of the processor's memory: three places in the transcript, where its text begins, six counts, flags and its length. */
const bytesEach = 64;
const Place = { last: 0, used: 1, first: 2 } as const;
const Column = { start: 6, counts: 8, flags: 14, length: 15 } as const;

/** The identifiers met so far, by number, with how often and where each stood. */
export interface MetNames {
  /** The numbers of those that were not forgotten, in the order in which they were met. */
  all: number[];
  /** By their numbers, with those that were forgotten. Their texts stand in it alone: a string of each would outlive many rounds of the collector. */
  readonly table: NameTable;
  places: Float64Array;
  columns: Int32Array;
}

/** So many that were forgotten are still found. */
const mostForgotten = 50_000;
const leastRoom = 32;

export function newMetNames(): MetNames {
  const room = new ArrayBuffer(bytesEach * leastRoom);
  return {
    all: [],
    table: newNameTable(),
    places: new Float64Array(room),
    columns: new Int32Array(room),
  };
}

/** The number of one that stands in a text, also of one that was forgotten: what it is need not be found out again. */
export const findMet = (met: MetNames, text: string, start: number, end: number, hash: number): number =>
  findName(met.table, text, start, end, hash);

/**
 * Looks where some tokens would stand: what lies far away is fetched for all of them side by side, as no comparison has to be waited for, and
 * is near when they are looked for one by one.
 */
export function touchMet({ table, columns }: MetNames, batch: TokenBatch): void {
  const { hashes, size } = batch;
  const { slots, chars } = table;
  const last = slots.length - 1;
  let sum = 0;
  for (let i = 0; i < size; i++) sum ^= slots[((hashes[i] as number) << 2) & last] as number;
  // The lengths of all lists are powers of two.
  for (let i = 0; i < size; i++) {
    const slot = ((hashes[i] as number) << 2) & last;
    sum ^= chars[(slots[slot + 2] as number) & (chars.length - 1)] as number;
    sum ^= columns[(16 * (slots[slot + 1] as number)) & (columns.length - 1)] as number;
  }
  batch.touched = sum;
}

/** Takes in one that stands nowhere yet; answers its number. */
export function addMet(met: MetNames, name: string, kind: IdentifierKind, position: number, hash: number): number {
  const start = met.table.filled;
  const number = addName(met.table, name, 0, name.length, hash);
  met.all.push(number);
  if (bytesEach * (number + 1) > met.columns.byteLength) growRoom(met);
  const flags = (isTelling(name, kind) ? Flag.telling : 0) | (isHyphened(name, kind) ? Flag.hyphened : 0);
  met.columns[16 * number + Column.flags] = kinds.indexOf(kind) | flags;
  met.columns[16 * number + Column.length] = name.length;
  met.columns[16 * number + Column.start] = start;
  startCounts(met, number, position);
  return number;
}

/** Takes in one that was counted before. */
export function addCounted(met: MetNames, one: IdentifierEvidence): void {
  const { identifier, kind, first } = one;
  const number = addMet(met, identifier, kind, first, hashToken(identifier, 0, identifier.length));
  for (const [source, column] of Object.entries(sources))
    met.columns[16 * number + Column.counts + column] = one[source as Source];
  met.places[8 * number + Place.last] = one.last;
  met.places[8 * number + Place.used] = one.used;
}

/** One stood once more; `source` is one of `sources`. One that was forgotten is counted from here on. */
export function countMet(met: MetNames, number: number, source: number, position: number): void {
  const { columns, places } = met;
  const flags = columns[16 * number + Column.flags] as number;
  if ((flags & Flag.forgotten) !== 0) {
    columns[16 * number + Column.flags] = flags & ~Flag.forgotten;
    startCounts(met, number, position);
    met.all.push(number);
  }
  const count = 16 * number + Column.counts + source;
  columns[count] = (columns[count] as number) + 1;
  places[8 * number + Place.last] = position;
  if (source < ownSources) places[8 * number + Place.used] = position;
}

const flagsOf = ({ columns }: MetNames, number: number): number => columns[16 * number + Column.flags] as number;

/** Whether one says something of this session. */
export const isMetTelling = (met: MetNames, number: number): boolean => (flagsOf(met, number) & Flag.telling) !== 0;

export const kindOfMet = (met: MetNames, number: number): IdentifierKind =>
  kinds[flagsOf(met, number) & Flag.kind] as IdentifierKind;

export const lengthOfMet = ({ columns }: MetNames, number: number): number =>
  columns[16 * number + Column.length] as number;

/** Its text, made anew. */
export function nameOfMet({ columns, table }: MetNames, number: number): string {
  const start = columns[16 * number + Column.start] as number;
  return readName(table, start, start + (columns[16 * number + Column.length] as number));
}

/** What each is worth at a place, by its number, into a list that holds nothing yet; those that were forgotten are worth nothing. */
export function weighMet(met: MetNames, end: number, weights: Float64Array): void {
  const { all, columns, places } = met;
  for (let i = 0; i < all.length; i++) {
    const number = all[i] as number;
    const counts = 16 * number + Column.counts;
    let times = 0;
    for (let at = counts; at < counts + 6; at++) times += columns[at] as number;
    const isWeak = ((columns[16 * number + Column.flags] as number) & Flag.hyphened) !== 0 && columns[counts + 1] === 0;
    const ago = end - (places[8 * number + Place.last] as number);
    weights[number] = weighUse(times, ago, (places[8 * number + Place.used] as number) >= 0, isWeak);
  }
}

/** Forgets all but these, which are some of all, in their order; answers whether the names were numbered anew. */
export function keepMet(met: MetNames, kept: number[]): boolean {
  const { all, columns, table } = met;
  setFlag(columns, all, Flag.forgotten, Flag.forgotten);
  setFlag(columns, kept, Flag.forgotten, 0);
  met.all = kept;
  if (table.size - kept.length <= mostForgotten) return false;
  numberAnew(met);
  return true;
}

function setFlag(columns: Int32Array, numbers: readonly number[], flag: number, value: number): void {
  for (let i = 0; i < numbers.length; i++) {
    const at = 16 * (numbers[i] as number) + Column.flags;
    columns[at] = ((columns[at] as number) & ~flag) | value;
  }
}

/** Those that were forgotten are found no more. What is known of the others is moved within its room: another as large would have the collector begin. */
function numberAnew(met: MetNames): void {
  const { all, columns, table } = met;
  const names = all.map((number) => nameOfMet(met, number));
  const moved = new Int32Array(16 * all.length);
  all.forEach((before, number) => {
    moved.set(columns.subarray(16 * before, 16 * before + 16), 16 * number);
  });
  columns.set(moved);
  clearNames(table);
  names.forEach((name, number) => {
    columns[16 * number + Column.start] = table.filled;
    addName(table, name, 0, name.length, hashToken(name, 0, name.length));
  });
  met.all = all.map((_, number) => number);
}

function startCounts({ columns, places }: MetNames, number: number, position: number): void {
  for (let at = 16 * number + Column.counts; at < 16 * number + Column.flags; at++) columns[at] = 0;
  places[8 * number + Place.first] = position;
  places[8 * number + Place.last] = position;
  places[8 * number + Place.used] = -1;
}

function growRoom(met: MetNames): void {
  const before = met.columns;
  const room = new ArrayBuffer(2 * before.byteLength);
  met.columns = new Int32Array(room);
  met.columns.set(before);
  met.places = new Float64Array(room);
}

/** What is told of one, as it stands. */
export function toEvidence(met: MetNames, number: number): IdentifierEvidence {
  const { columns, places } = met;
  const counts = 16 * number + Column.counts;
  return {
    identifier: nameOfMet(met, number),
    kind: kinds[(columns[16 * number + Column.flags] as number) & Flag.kind] as IdentifierKind,
    inWords: columns[counts] as number,
    inCalls: columns[counts + 1] as number,
    inWritten: columns[counts + 2] as number,
    inSaid: columns[counts + 3] as number,
    inResults: columns[counts + 4] as number,
    inErrors: columns[counts + 5] as number,
    first: placeOf(places, number, Place.first),
    last: placeOf(places, number, Place.last),
    used: placeOf(places, number, Place.used),
  };
}

/** As a small number, where it is one: what comes out of a list of large ones would be an object of its own, and a session holds many. */
function placeOf(places: Float64Array, number: number, place: number): number {
  const at = places[8 * number + place] as number;
  const small = at | 0;
  return small === at ? small : at;
}
