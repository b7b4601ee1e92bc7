import { describe, expect, it } from 'vitest';
import type { IdentifierEvidence } from '../src/digest/evidence/evidence.ts';
import { hashToken, startScan } from '../src/digest/evidence/scan-tokens.ts';
import { newIdentifierTally } from '../src/digest/read/identifier-tally.ts';
import { newStatementRows } from '../src/digest/read/statement-rows.ts';
import { type Known, newTextTable, type TextTable } from '../src/digest/read/text-table.ts';

describe('a table of texts', () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => ({
    text: `name${i}`,
    hash: hashToken(`name${i}`, 0, `name${i}`.length),
  }));
  const find = (table: TextTable<Known>, name: string): Known | undefined =>
    table.find(`(${name})`, 1, name.length + 1, hashToken(name, 0, name.length));

  it('finds each text where it stands in another, however many there are', () => {
    const table = newTextTable<Known>();
    for (const one of texts) table.add(one);
    expect(texts.every((one) => find(table, one.text) === one)).toBe(true);
    expect(find(table, 'name3000')).toBeUndefined();
    table.clear();
    expect(find(table, 'name0')).toBeUndefined();
  });

  it('tells texts apart that have the same hash', () => {
    const table = newTextTable<Known>();
    const [first, second, third] = ['name0', 'name1', 'name1'].map((text): Known => ({ text, hash: 7 }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three are made');
    table.add(first);
    table.add(second);
    expect(table.find('name0', 0, 5, 7)).toBe(first);
    expect(table.find('name1', 0, 5, 7)).toBe(second);
    expect(table.find('name2', 0, 5, 7)).toBeUndefined();
    table.replace(second, third);
    expect(table.find('name1', 0, 5, 7)).toBe(third);
  });
});

describe('the rows of statements', () => {
  const where = { source: 'shown', about: 'a.ts', at: 1 } as const;

  it('a text that stands again goes to the end, with its newer place', () => {
    const rows = newStatementRows(String);
    rows.add('one_line', where, false);
    rows.add('two_lines', where, false);
    rows.add('one_line', { ...where, at: 5 }, false);
    expect(rows.size).toBe(2);
    expect(rows.list().map(rows.toStatement)).toEqual([
      { ...where, text: 'two_lines' },
      { ...where, at: 5, text: 'one_line' },
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
});

describe('a row of statements', () => {
  it('is worth the same when the numbers of its names are forgotten', () => {
    const tally = newIdentifierTally([], 0);
    const rows = newStatementRows(tally.nameOf);
    const scan = startScan('one_name two_names one_name');
    for (let met = tally.next(scan, 'inResults'); met !== undefined; met = tally.next(scan, 'inResults'))
      rows.addName(met.number);
    rows.add(scan.text, { source: 'shown', about: '', at: 0 }, true);
    const before = rows.sumNames(0, tally.weighAll());
    rows.unreadNames();
    expect(rows.sumNames(0, tally.weighAll())).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});
