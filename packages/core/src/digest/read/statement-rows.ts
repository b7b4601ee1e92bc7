import type { StatementEvidence } from '../evidence/evidence.ts';
import { holdsValue } from '../evidence/find-values.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { readNames, rememberNames } from '../evidence/statement-names.ts';
import type { NameWorths } from './identifier-tally.ts';
import { clearRows, newRowTable, putRow, type RowTable } from './row-table.ts';

/** Where the lines of a text stand. */
export type Whereabouts = Omit<StatementEvidence, 'text'>;

/**
 * Statements by number, in the order in which they last stood, each once. Of most of them nothing is ever told, so that none is an object
 * until it is asked for: a row is a text, its whereabouts, which it shares with its neighbours, and a stretch of the list of all names.
 */
export interface StatementRows {
  readonly texts: string[];
  readonly places: Whereabouts[];
  /** Four places each. */
  columns: Int32Array;
  /** How many stood again later. */
  gone: number;
  readonly table: RowTable;
  /** What rows were told as, once that was asked. */
  statements: Map<number, StatementEvidence>;
  /** The names of all rows by their numbers; where those of the next row begin, and how far they go. */
  names: Int32Array;
  open: number;
  filled: number;
  /** A name by its number. */
  readonly nameOf: (number: number) => string;
}

/** The text of a row, its hash, and whether perhaps a value stands in it. */
export interface RowText {
  readonly text: string;
  readonly hash: number;
  readonly mayHoldValue: boolean;
}

const unread = -1;
/** The hash of the text, and where the names begin and end: they begin at `unread` where they were not read with the row. */
const Column = { hash: 0, start: 1, end: 2, flags: 3 } as const;
/** `isGone`: its text stood again later. */
const Flag = { isGone: 1, isWeighed: 2, holdsValue: 4 } as const;

const leastRoom = 64;

export const newStatementRows = (nameOf: (number: number) => string): StatementRows => ({
  texts: [],
  places: [],
  columns: new Int32Array(4 * leastRoom),
  gone: 0,
  table: newRowTable(),
  statements: new Map(),
  names: new Int32Array(leastRoom),
  open: 0,
  filled: 0,
  nameOf,
});

/** How many stand. */
export const countRows = ({ texts, gone }: StatementRows): number => texts.length - gone;

/** A name of the next row, by its number. */
export function addRowName(rows: StatementRows, number: number): void {
  if (rows.filled === rows.names.length) rows.names = growTwice(rows.names);
  rows.names[rows.filled++] = number;
}

/** The names since the last row belong to none. */
export function dropRowNames(rows: StatementRows): void {
  rows.filled = rows.open;
}

/** `isRead`: the names since the last row are all that stand in this one. */
export function addRow(rows: StatementRows, shown: RowText, where: Whereabouts, isRead: boolean): void {
  const row = enterRow(rows, shown.text, shown.hash, where, isRead ? rows.open : unread);
  if (!shown.mayHoldValue) setFlag(rows.columns, row, Flag.isWeighed);
  if (isRead) rows.open = rows.filled;
  else rows.filled = rows.open;
}

/** Takes in one that was read before. */
export function addStatement(rows: StatementRows, statement: StatementEvidence): void {
  const { text } = statement;
  const row = enterRow(rows, text, hashToken(text, 0, text.length), statement, unread);
  rows.statements.set(row, statement);
}

function enterRow(rows: StatementRows, text: string, hash: number, where: Whereabouts, start: number): number {
  const row = rows.texts.push(text) - 1;
  rows.places.push(where);
  if (4 * rows.texts.length > rows.columns.length) rows.columns = growTwice(rows.columns);
  const { columns } = rows;
  columns[4 * row + Column.hash] = hash;
  columns[4 * row + Column.start] = start;
  columns[4 * row + Column.end] = rows.filled;
  columns[4 * row + Column.flags] = 0;
  const before = putRow(rows.table, rows.texts, row, hash);
  if (before < 0) return row;
  setFlag(columns, before, Flag.isGone);
  rows.gone++;
  return row;
}

const columnOf = ({ columns }: StatementRows, row: number, column: number): number =>
  columns[4 * row + column] as number;

function setFlag(columns: Int32Array, row: number, flag: number): void {
  columns[4 * row + Column.flags] = (columns[4 * row + Column.flags] as number) | flag;
}

/** The numbers of those that stand. */
export function listRows(rows: StatementRows): readonly number[] {
  const list: number[] = [];
  const { length } = rows.texts;
  for (let row = 0; row < length; row++) if ((columnOf(rows, row, Column.flags) & Flag.isGone) === 0) list.push(row);
  return list;
}

export const textOfRow = ({ texts }: StatementRows, row: number): string => texts[row] as string;

/** What the names in it are worth, each once. */
export function sumRowNames(rows: StatementRows, row: number, { byNumber, byName }: NameWorths): number {
  const start = columnOf(rows, row, Column.start);
  if (start !== unread) return sumStretch(rows.names, start, columnOf(rows, row, Column.end), byNumber);
  let sum = 0;
  for (const name of new Set(readNames(textOfRow(rows, row)))) sum += byName(name);
  return sum;
}

export function holdsRowValue(rows: StatementRows, row: number): boolean {
  if ((columnOf(rows, row, Column.flags) & Flag.isWeighed) === 0) {
    setFlag(rows.columns, row, Flag.isWeighed | (holdsValue(textOfRow(rows, row)) ? Flag.holdsValue : 0));
  }
  return (columnOf(rows, row, Column.flags) & Flag.holdsValue) !== 0;
}

/** Names were numbered anew: those of a row are read again where they are asked for. */
export function unreadRowNames(rows: StatementRows): void {
  for (let row = 0; row < rows.texts.length; row++) rows.columns[4 * row + Column.start] = unread;
  rows.open = 0;
  rows.filled = 0;
}

/** Forgets all but these, which are some of the list; they are numbered anew. */
export function keepRows(rows: StatementRows, list: readonly number[]): void {
  const kept = new Map<number, StatementEvidence>();
  for (let row = 0; row < list.length; row++) {
    const statement = rows.statements.get(list[row] as number);
    if (statement !== undefined) kept.set(row, statement);
  }
  rows.statements = kept;
  rows.open = packRows(rows, list);
  rows.filled = rows.open;
  rows.texts.length = list.length;
  rows.places.length = list.length;
  rows.gone = 0;
  clearRows(rows.table);
  for (let row = 0; row < list.length; row++) putRow(rows.table, rows.texts, row, columnOf(rows, row, Column.hash));
}

/** Moves these rows and their names to the front; answers how many names there are. They stand in their order, so that nothing is overwritten that is still asked for. */
function packRows(rows: StatementRows, list: readonly number[]): number {
  const { columns, names, places, texts } = rows;
  let packed = 0;
  for (let row = 0; row < list.length; row++) {
    const before = list[row] as number;
    texts[row] = texts[before] as string;
    places[row] = places[before] as Whereabouts;
    const [start, end] = [columnOf(rows, before, Column.start), columnOf(rows, before, Column.end)];
    columns[4 * row + Column.hash] = columnOf(rows, before, Column.hash);
    columns[4 * row + Column.flags] = columnOf(rows, before, Column.flags);
    columns[4 * row + Column.start] = start === unread ? unread : packed;
    if (start !== unread) for (let at = start; at < end; at++) names[packed++] = names[at] as number;
    columns[4 * row + Column.end] = packed;
  }
  return packed;
}

export function toStatement(rows: StatementRows, row: number): StatementEvidence {
  const before = rows.statements.get(row);
  if (before !== undefined) return before;
  const { source, about, at } = rows.places[row] as Whereabouts;
  const statement = { source, about, at, text: textOfRow(rows, row) };
  const start = columnOf(rows, row, Column.start);
  if (start !== unread)
    rememberNames(statement, Array.from(rows.names.subarray(start, columnOf(rows, row, Column.end)), rows.nameOf));
  rows.statements.set(row, statement);
  return statement;
}

function growTwice(before: Int32Array): Int32Array {
  const grown = new Int32Array(2 * before.length);
  grown.set(before);
  return grown;
}

function sumStretch(names: Int32Array, start: number, end: number, worths: Float64Array): number {
  let sum = 0;
  for (let at = start; at < end; at++) {
    const name = names[at] as number;
    let first = start;
    while (names[first] !== name) first++;
    if (first === at) sum += worths[name] as number;
  }
  return sum;
}
