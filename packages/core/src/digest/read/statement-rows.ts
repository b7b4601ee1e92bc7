import type { StatementEvidence } from '../evidence/evidence.ts';
import { findValues, mayHoldValue } from '../evidence/find-values.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { listNames, rememberNames } from '../evidence/statement-names.ts';
import type { NameWorths } from './identifier-tally.ts';
import { clearRows, newRowTable, putRow } from './row-table.ts';

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
  /** `isRead`: the names since the last row are all that stand in this one. `hash`: of the text. */
  add(text: string, where: Whereabouts, isRead: boolean, hash?: number): void;
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

const unread = -1;
/** Where the hash, the start and the end of the names of a row stand: the names begin at `unread` where they were not read with it. */
const Column = { hash: 0, start: 1, end: 2, flags: 3 } as const;
/** `isGone`: its text stood again later. */
const Flag = { isGone: 1, isWeighed: 2, holdsValue: 4 } as const;

const leastRoom = 64;

/** `nameOf`: a name by its number. */
export function newStatementRows(nameOf: (number: number) => string): StatementRows {
  const texts: string[] = [];
  const places: Whereabouts[] = [];
  let columns = new Int32Array(4 * leastRoom);
  /** What rows were told as, once that was asked. */
  let statements = new Map<number, StatementEvidence>();
  let names = new Int32Array(leastRoom);
  /** Where the names of the next row begin, and how far they go. */
  let [open, filled] = [0, 0];
  let gone = 0;
  const table = newRowTable();

  const columnOf = (row: number, column: number): number => columns[4 * row + column] as number;
  const setFlag = (row: number, flag: number): void => {
    columns[4 * row + Column.flags] = columnOf(row, Column.flags) | flag;
  };

  const enter = (text: string, where: Whereabouts, start: number, hash: number): number => {
    const row = texts.push(text) - 1;
    places.push(where);
    if (4 * texts.length > columns.length) columns = growTwice(columns);
    columns[4 * row + Column.hash] = hash;
    columns[4 * row + Column.start] = start;
    columns[4 * row + Column.end] = filled;
    columns[4 * row + Column.flags] = 0;
    const before = putRow(table, texts, row, hash);
    if (before < 0) return row;
    setFlag(before, Flag.isGone);
    gone++;
    return row;
  };

  const toStatement = (row: number): StatementEvidence => {
    const before = statements.get(row);
    if (before !== undefined) return before;
    const { source, about, at } = places[row] as Whereabouts;
    const statement = { source, about, at, text: texts[row] as string };
    const start = columnOf(row, Column.start);
    if (start !== unread)
      rememberNames(statement, Array.from(names.subarray(start, columnOf(row, Column.end)), nameOf));
    statements.set(row, statement);
    return statement;
  };

  const keep = (list: readonly number[]): void => {
    const kept = new Map<number, StatementEvidence>();
    let packed = 0;
    // They stand in their order, so that nothing is overwritten that is still asked for.
    for (let row = 0; row < list.length; row++) {
      const before = list[row] as number;
      texts[row] = texts[before] as string;
      places[row] = places[before] as Whereabouts;
      const statement = statements.get(before);
      if (statement !== undefined) kept.set(row, statement);
      const [start, end] = [columnOf(before, Column.start), columnOf(before, Column.end)];
      columns[4 * row + Column.hash] = columnOf(before, Column.hash);
      columns[4 * row + Column.flags] = columnOf(before, Column.flags);
      columns[4 * row + Column.start] = start === unread ? unread : packed;
      if (start !== unread) for (let at = start; at < end; at++) names[packed++] = names[at] as number;
      columns[4 * row + Column.end] = packed;
    }
    texts.length = list.length;
    places.length = list.length;
    statements = kept;
    open = packed;
    filled = packed;
    gone = 0;
    clearRows(table);
    for (let row = 0; row < texts.length; row++) putRow(table, texts, row, columnOf(row, Column.hash));
  };

  return {
    get size() {
      return texts.length - gone;
    },
    get named() {
      return filled - open;
    },
    addName(number) {
      if (filled === names.length) names = growTwice(names);
      names[filled++] = number;
    },
    dropNames() {
      filled = open;
    },
    add(text, where, isRead, hash = hashToken(text, 0, text.length)) {
      enter(text, where, isRead ? open : unread, hash);
      if (isRead) open = filled;
      else filled = open;
    },
    addStatement(statement) {
      const { text } = statement;
      statements.set(enter(text, statement, unread, hashToken(text, 0, text.length)), statement);
    },
    list() {
      const list: number[] = [];
      for (let row = 0; row < texts.length; row++)
        if ((columnOf(row, Column.flags) & Flag.isGone) === 0) list.push(row);
      return list;
    },
    textOf: (row) => texts[row] as string,
    sumNames(row, { byNumber, byName }) {
      const start = columnOf(row, Column.start);
      if (start !== unread) return sumStretch(names, start, columnOf(row, Column.end), byNumber);
      return [...new Set(listNames(toStatement(row)))].reduce((sum, name) => sum + byName(name), 0);
    },
    holdsValue(row) {
      if ((columnOf(row, Column.flags) & Flag.isWeighed) === 0) {
        const isHeld = mayHoldValue(texts[row] as string) && findValues(toStatement(row)).length > 0;
        setFlag(row, Flag.isWeighed | (isHeld ? Flag.holdsValue : 0));
      }
      return (columnOf(row, Column.flags) & Flag.holdsValue) !== 0;
    },
    keep,
    unreadNames() {
      for (let row = 0; row < texts.length; row++) columns[4 * row + Column.start] = unread;
      open = 0;
      filled = 0;
    },
    toStatement,
  };
}

function growTwice(before: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
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
