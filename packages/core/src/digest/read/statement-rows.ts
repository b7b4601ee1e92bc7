import type { StatementEvidence } from '../evidence/evidence.ts';
import { findValues, mayHoldValue } from '../evidence/find-values.ts';
import { hashToken } from '../evidence/scan-tokens.ts';
import { listNames, rememberNames } from '../evidence/statement-names.ts';
import type { Met } from './met-names.ts';
import { newTextTable, none } from './text-table.ts';

/** Where the lines of a text stand. */
export type Whereabouts = Omit<StatementEvidence, 'text'>;

/**
 * Statements by number, in the order in which they last stood, each once. Of most of them nothing is ever told, so that none is an object
 * until it is asked for: a row is a text, its whereabouts, which it shares with its neighbours, and a stretch of the list of all names.
 */
export interface StatementRows {
  /** How many stand. */
  readonly size: number;
  /** `names`: those in it, where they were read with it. */
  add(text: string, where: Whereabouts, names?: readonly Met[]): void;
  /** Takes in one that was read before. */
  addStatement(statement: StatementEvidence): void;
  /** The numbers of those that stand. */
  list(): readonly number[];
  textOf(row: number): string;
  /** What the names in it are worth, each once. */
  sumNames(row: number, weigh: (name: Met | string) => number): number;
  holdsValue(row: number): boolean;
  /** The same row in another table. */
  copyTo(rows: StatementRows, row: number): void;
  toStatement(row: number): StatementEvidence;
}

/** The names of a row were not read with it. */
const unread = -1;

export function newStatementRows(): StatementRows {
  const texts: string[] = [];
  const rowOf = newTextTable((row) => texts[row] ?? '');
  /** Rows whose text stood again later. */
  const gone = new Set<number>();
  const wheres: Whereabouts[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const names: Met[] = [];
  const statements = new Map<number, StatementEvidence>();

  const isRead = (row: number): boolean => starts[row] !== unread;
  const listRow = (row: number): readonly Met[] => names.slice(starts[row], ends[row]);

  const enter = (text: string, where: Whereabouts, start: number): number => {
    const hash = hashToken(text, 0, text.length);
    const before = rowOf.find(text, 0, text.length, hash);
    const row = texts.push(text) - 1;
    if (before === none) rowOf.add(hash, row);
    else {
      rowOf.replace(hash, before, row);
      gone.add(before);
    }
    wheres.push(where);
    starts.push(start);
    ends.push(names.length);
    return row;
  };

  const toStatement = (row: number): StatementEvidence => {
    const before = statements.get(row);
    if (before !== undefined) return before;
    const { source, about, at } = wheres[row] as Whereabouts;
    const statement = { source, about, at, text: texts[row] ?? '' };
    if (isRead(row))
      rememberNames(
        statement,
        listRow(row).map(({ identifier }) => identifier),
      );
    statements.set(row, statement);
    return statement;
  };

  return {
    get size() {
      return texts.length - gone.size;
    },
    add(text, where, read) {
      const start = read === undefined ? unread : names.length;
      for (const name of read ?? []) names.push(name);
      enter(text, where, start);
    },
    addStatement(statement) {
      statements.set(enter(statement.text, statement, unread), statement);
    },
    list() {
      const rows: number[] = [];
      for (let row = 0; row < texts.length; row++) if (!gone.has(row)) rows.push(row);
      return rows;
    },
    textOf: (row) => texts[row] ?? '',
    sumNames(row, weigh) {
      if (isRead(row)) return sumStretch(names, starts[row] ?? 0, ends[row] ?? 0, weigh);
      return [...new Set(listNames(toStatement(row)))].reduce((sum, name) => sum + weigh(name), 0);
    },
    holdsValue: (row) => mayHoldValue(texts[row] ?? '') && findValues(toStatement(row)).length > 0,
    copyTo(rows, row) {
      const statement = statements.get(row);
      if (statement !== undefined) rows.addStatement(statement);
      else rows.add(texts[row] ?? '', wheres[row] as Whereabouts, isRead(row) ? listRow(row) : undefined);
    },
    toStatement,
  };
}

function sumStretch(names: readonly Met[], start: number, end: number, weigh: (name: Met) => number): number {
  let sum = 0;
  for (let at = start; at < end; at++) {
    const name = names[at] as Met;
    if (names.indexOf(name, start) === at) sum += weigh(name);
  }
  return sum;
}
