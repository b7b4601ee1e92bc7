import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { costOfUsage, DEFAULT_PRICES } from '@palimpsest/core';
import { readSession } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../run-palimpsest.ts';
import { FIXTURES, fileOf, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';

interface Told {
  readonly total: { readonly calls: number; readonly money: number; readonly cacheRead: number };
  readonly day: readonly { readonly name: string; readonly money: number }[];
  readonly model: readonly { readonly name: string; readonly money: number }[];
  readonly session: readonly { readonly name: string }[];
}

const cost = async (words: readonly string[], about = {}): Promise<Told> => {
  const { code, out, err } = await hear(['cost', ...words, '--json'], about);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Told;
};

describe('what was used', () => {
  it('is what the provider reported, at the usual prices; the tables add up to it', async () => {
    const file = workdayFile();
    const { usage } = readSession(readFileSync(file));
    const money = usage.reduce((sum, one) => sum + costOfUsage(one.usage, DEFAULT_PRICES), 0);
    const { total, day, model } = await cost([file]);
    expect(total.calls).toBe(usage.length);
    expect(total.money).toBeCloseTo(money, 10);
    for (const table of [day, model]) expect(table.reduce((sum, one) => sum + one.money, 0)).toBeCloseTo(money, 10);
    expect(day[0]!.name).toBe('2026-03-02');
  });

  it('costs what a table of prices says of its model, by the longest name that fits', async () => {
    const file = workdayFile();
    const { model = '' } = readSession(readFileSync(file));
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const dear = { input: 30, output: 150, cacheRead: 3, cacheWrite: 37.5 };
    const prices = fileOf('prices.json', JSON.stringify({ [model.slice(0, 3)]: free, [model]: dear }));
    const usual = await cost([file]);
    const own = await cost([file, '--prices', prices]);
    expect(model.length).toBeGreaterThan(3);
    expect(own.total.money).toBeCloseTo(10 * usual.total.money, 8);
    const wrong = await hear(['cost', file, '--prices', fileOf('wrong.json', '{"x": {"input": "much"}}')]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/"x" needs "input"/);
  });

  it('is found on this machine where no file is named, and since a day where one is', async () => {
    const home = newFolder();
    const project = join(home, '.claude', 'projects', 'shop');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'a.jsonl'), readFileSync(workdayFile()));
    const environment = {
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: home,
      PALIMPSEST_HOME: home,
    };
    const { session } = await cost([], { environment });
    expect(session.map(({ name }) => name)).toContain('Claude Code: a.jsonl');
    const none = await hear(['cost', join(project, 'a.jsonl'), '--since', '2030-01-01']);
    expect(none.code).toBe(1);
  });

  it('of a folder is that of the sessions in it', async () => {
    const file = workdayFile();
    const one = await cost([file]);
    writeFileSync(join(dirname(file), 'twice.jsonl'), readFileSync(file));
    writeFileSync(join(dirname(file), 'notes.json'), '{}');
    const both = await cost([dirname(file)]);
    expect(both.total.money).toBeCloseTo(2 * one.total.money, 10);
    expect(both.session).toHaveLength(2);
  });
});

it.each(FIXTURES)('%s: no line is wider than a terminal', async (name) => {
  const { code, out } = await hear(['cost', fixturePath(name)]);
  expect([0, 1]).toContain(code);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
