import { describe, expect, it } from 'vitest';
import type { IdentifierEvidence } from '../src/digest/evidence/evidence.ts';
import { hashToken, startScan } from '../src/digest/evidence/scan-tokens.ts';
import { newIdentifierTally } from '../src/digest/read/identifier-tally.ts';
import { addName, clearNames, findName, type NameTable, newNameTable, none } from '../src/digest/read/name-table.ts';
import { clearRows, newRowTable, putRow } from '../src/digest/read/row-table.ts';
import {
  addRow,
  addRowName,
  countRows,
  keepRows,
  listRows,
  newStatementRows,
  type RowText,
  sumRowNames,
  toStatement,
  unreadRowNames,
} from '../src/digest/read/statement-rows.ts';

describe('a table of names', () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `name${i}`);
  const find = (table: NameTable, name: string): number =>
    findName(table, `(${name})`, 1, name.length + 1, hashToken(name, 0, name.length));

  it('finds the number of each name where it stands in a text, however many there are', () => {
    const table = newNameTable();
    const numbers = texts.map((text) => addName(table, text, 0, text.length, hashToken(text, 0, text.length)));
    expect(numbers).toEqual(texts.map((_, i) => i));
    expect(texts.map((text) => find(table, text))).toEqual(numbers);
    expect(find(table, 'name3000')).toBe(none);
    clearNames(table);
    expect(find(table, 'name0')).toBe(none);
  });

  it('tells names apart that have the same hash, by their last character or their length', () => {
    const table = newNameTable();
    for (const name of ['name0', 'name1', 'name11']) addName(table, name, 0, name.length, 7);
    expect(['name0', 'name1', 'name11'].map((name) => findName(table, name, 0, name.length, 7))).toEqual([0, 1, 2]);
    expect(['name2', 'name', 'name12'].map((name) => findName(table, name, 0, name.length, 7))).toEqual([-1, -1, -1]);
  });
});

describe('a table of rows', () => {
  it('puts the newest row of a text in the place of the one before, also where hashes are the same', () => {
    const table = newRowTable();
    const texts = ['one', 'two', 'one', 'two', 'one'];
    expect(texts.map((_, row) => putRow(table, texts, row, 7))).toEqual([none, none, 0, 1, 2]);
    clearRows(table);
    expect(putRow(table, texts, 0, 7)).toBe(none);
  });

  it('however many there are', () => {
    const table = newRowTable();
    const texts = Array.from({ length: 6_000 }, (_, i) => `line ${i % 3_000}`);
    const put = texts.map((text, row) => putRow(table, texts, row, hashToken(text, 0, text.length)));
    expect(put).toEqual(texts.map((_, row) => (row < 3_000 ? none : row - 3_000)));
  });
});

const asRow = (text: string): RowText => ({ text, hash: text.length, mayHoldValue: true });

describe('the rows of statements', () => {
  const where = { source: 'shown', about: 'a.ts', at: 1 } as const;

  it('a text that stands again goes to the end, with its newer place', () => {
    const rows = newStatementRows(String);
    const add = (text: string, at: number): void => addRow(rows, asRow(text), { ...where, at }, false);
    add('one_line', 1);
    add('two_lines', 1);
    add('one_line', 5);
    expect(countRows(rows)).toBe(2);
    expect(listRows(rows).map((row) => toStatement(rows, row))).toEqual([
      { ...where, text: 'two_lines' },
      { ...where, at: 5, text: 'one_line' },
    ]);
  });
});

describe('rows that are kept', () => {
  it('keep their names, their places and their order, and one that was forgotten may come again', () => {
    const names = ['zero_name', 'one_name', 'two_name', 'three_name'];
    const rows = newStatementRows((number) => names[number] ?? '');
    const worths = { byNumber: Float64Array.of(1, 10, 100, 1_000), byName: () => 0 };
    names.forEach((_, n) => {
      for (let number = 0; number <= n; number++) addRowName(rows, number);
      addRow(rows, asRow(`line ${n}`), { source: 'shown', about: 'a.ts', at: n }, true);
    });
    keepRows(rows, [1, 3]);
    expect(listRows(rows).map((row) => [toStatement(rows, row).at, sumRowNames(rows, row, worths)])).toEqual([
      [1, 11],
      [3, 1_111],
    ]);
    addRowName(rows, 2);
    addRow(rows, asRow('line 0'), { source: 'shown', about: 'a.ts', at: 9 }, true);
    addRow(rows, asRow('line 1'), { source: 'shown', about: 'a.ts', at: 10 }, true);
    expect(listRows(rows).map((row) => [toStatement(rows, row).at, sumRowNames(rows, row, worths)])).toEqual([
      [3, 1_111],
      [9, 100],
      [10, 0],
    ]);
  });
});

describe('a name that was forgotten', () => {
  const known = (identifier: string, inCalls: number): IdentifierEvidence => ({
    ...{ identifier, kind: 'name', inWords: 0, inCalls, inWritten: 0, inSaid: 0 },
    ...{ inResults: 1, inErrors: 0, first: 0, last: 0, used: inCalls > 0 ? 0 : -1 },
  });

  it('counts for nothing, and for what it is since it came again', () => {
    const tally = newIdentifierTally([known('kept_name', 9), known('lost_name', 0)], 10);
    tally.prune(1, 1);
    expect(tally.toEvidence().map(({ identifier }) => identifier)).toEqual(['kept_name']);
    expect(tally.weighAll().byName('lost_name')).toBe(0);
    tally.scan('lost_name', 'inResults');
    expect(tally.weighAll().byName('lost_name')).toBeGreaterThan(0);
    expect(tally.toEvidence()[1]).toMatchObject({ identifier: 'lost_name', inResults: 1, first: 10 });
  });

  it('is known by another number once too many were forgotten', () => {
    const tally = newIdentifierTally(
      Array.from({ length: 60_000 }, (_, i) => known(`name_${i}`, i === 59_999 ? 9 : 0)),
      10,
    );
    expect(tally.nameOf(59_999)).toBe('name_59999');
    expect(tally.prune(1, 1)).toBe(true);
    expect(tally.nameOf(0)).toBe('name_59999');
    const worths = tally.weighAll();
    expect([worths.byNumber[0], worths.byName('name_0')]).toEqual([worths.byName('name_59999'), 0]);
    tally.scan('name_0', 'inResults');
    expect(tally.toEvidence().map(({ identifier }) => identifier)).toEqual(['name_59999', 'name_0']);
  });

  it('is told as it stood, however long it is and whatever characters it has', () => {
    const names = [`https://example.org/${'a/b'.repeat(5_000)}`, 'größe_名前', 'src/a.ts'];
    const tally = newIdentifierTally(
      names.map((name) => known(name, 0)),
      10,
    );
    expect(names.map((_, number) => tally.nameOf(number))).toEqual(names);
  });
});

describe('a row of statements', () => {
  it('is worth the same when the numbers of its names are forgotten', () => {
    const tally = newIdentifierTally([], 0);
    const rows = newStatementRows(tally.nameOf);
    const scan = startScan('one_name two_names one_name');
    const { count, numbers } = tally.next(scan, 'inResults');
    for (const number of numbers.subarray(0, count)) addRowName(rows, number);
    expect(tally.next(scan, 'inResults').count).toBe(0);
    addRow(rows, asRow(scan.text), { source: 'shown', about: '', at: 0 }, true);
    const before = sumRowNames(rows, 0, tally.weighAll());
    unreadRowNames(rows);
    expect(sumRowNames(rows, 0, tally.weighAll())).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});
