import type { StatementEvidence } from '../evidence/evidence.ts';
import { findValues, mayHoldValue } from '../evidence/find-values.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { listNames, rememberNames } from '../evidence/statement-names.ts';
import type { NameWorths } from './identifier-tally.ts';
import { type Known, newTextTable } from './text-table.ts';

/** Where the lines of a text stand. */
export type Whereabouts = Omit<StatementEvidence, 'text'>;

/**
 * Statements by number, in the order in which they last stood, each once. Of most of them nothing is ever told, so that none is an object
 * until it is asked for: a row is a text, its whereabouts, which it shares with its neighbours, and a stretch of the list of all names.
 */
export interface StatementRows {
  /** How many stand. */
  readonly size: number;
  /** A name of the next row, by its number. */
  addName(number: number): void;
  /** How many names the next row has so far. */
  readonly named: number;
  /** The names since the last row belong to none. */
  dropNames(): void;
  /** `isRead`: the names since the last row are all that stand in this one. */
  add(text: string, where: Whereabouts, isRead: boolean): void;
  /** Takes in one that was read before. */
  addStatement(statement: StatementEvidence): void;
  /** The numbers of those that stand. */
  list(): readonly number[];
  textOf(row: number): string;
  /** What the names in it are worth, each once. */
  sumNames(row: number, worths: NameWorths): number;
  holdsValue(row: number): boolean;
  /** Forgets all but these, which are some of the list; they are numbered anew. */
  keep(rows: readonly number[]): void;
  /** Names were numbered anew: those of a row are read again where they are asked for. */
  unreadNames(): void;
  toStatement(row: number): StatementEvidence;
}

interface Row extends Known {
  readonly where: Whereabouts;
  /** Where its names begin and end in the list of all names; it begins at `unread` where they were not read with it. */
  start: number;
  end: number;
  /** Its text stood again later. */
  isGone: boolean;
  /** Whether a value stands in it, once that was asked. */
  holdsValue: boolean | undefined;
  /** What it is told as, once that was asked. */
  statement: StatementEvidence | undefined;
}

const unread = -1;

/** `nameOf`: a name by its number. */
export function newStatementRows(nameOf: (number: number) => string): StatementRows {
  let rows: Row[] = [];
  let names: number[] = [];
  /** Where the names of the next row begin, and how far they go: setting an array's length costs more. */
  let [open, filled] = [0, 0];
  let gone = 0;
  const table = newTextTable<Row>();
  const rowAt = (row: number): Row => rows[row] as Row;

  const enter = (text: string, where: Whereabouts, isRead: boolean, statement?: StatementEvidence): void => {
    const hash = hashToken(text, 0, text.length);
    const before = table.find(text, 0, text.length, hash);
    const start = isRead ? open : unread;
    const row = { text, hash, where, start, end: filled, isGone: false, holdsValue: undefined, statement };
    rows.push(row);
    if (isRead) open = filled;
    else filled = open;
    if (before === undefined) table.add(row);
    else {
      table.replace(before, row);
      before.isGone = true;
      gone++;
    }
  };

  const toStatement = (number: number): StatementEvidence => {
    const row = rowAt(number);
    row.statement ??= makeStatement(row, names.slice(row.start, row.end).map(nameOf));
    return row.statement;
  };

  return {
    get size() {
      return rows.length - gone;
    },
    get named() {
      return filled - open;
    },
    addName(number) {
      names[filled++] = number;
    },
    dropNames() {
      filled = open;
    },
    add: (text, where, isRead) => enter(text, where, isRead),
    addStatement: (statement) => enter(statement.text, statement, false, statement),
    list() {
      const list: number[] = [];
      for (const [number, { isGone }] of rows.entries()) if (!isGone) list.push(number);
      return list;
    },
    textOf: (row) => rowAt(row).text,
    sumNames(row, { byNumber, byName }) {
      const { start, end } = rowAt(row);
      if (start !== unread) return sumStretch(names, start, end, byNumber);
      return [...new Set(listNames(toStatement(row)))].reduce((sum, name) => sum + byName(name), 0);
    },
    holdsValue(number) {
      const row = rowAt(number);
      row.holdsValue ??= mayHoldValue(row.text) && findValues(toStatement(number)).length > 0;
      return row.holdsValue;
    },
    keep(list) {
      rows = list.map(rowAt);
      names = packNames(rows, names);
      open = names.length;
      filled = open;
      gone = 0;
      table.clear();
      for (const row of rows) table.add(row);
    },
    unreadNames() {
      for (const row of rows) row.start = unread;
      names = [];
      open = 0;
      filled = 0;
    },
    toStatement,
  };
}

function makeStatement({ text, where, start }: Row, names: readonly string[]): StatementEvidence {
  const { source, about, at } = where;
  const statement = { source, about, at, text };
  if (start !== unread) rememberNames(statement, names);
  return statement;
}

/** The names of these rows alone, one behind the other; the rows know where. */
function packNames(rows: readonly Row[], names: readonly number[]): number[] {
  const packed: number[] = [];
  for (const row of rows) {
    if (row.start === unread) continue;
    const start = packed.length;
    for (let at = row.start; at < row.end; at++) packed.push(names[at] as number);
    row.start = start;
    row.end = packed.length;
  }
  return packed;
}

function sumStretch(names: readonly number[], start: number, end: number, worths: Float64Array): number {
  let sum = 0;
  for (let at = start; at < end; at++) {
    const name = names[at] as number;
    let first = start;
    while (names[first] !== name) first++;
    if (first === at) sum += worths[name] as number;
  }
  return sum;
}
