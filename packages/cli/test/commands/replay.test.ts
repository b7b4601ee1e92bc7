import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { presets } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawBarChart } from '../../src/printing/bar-chart.ts';
import { runPalimpsest } from '../run-palimpsest.ts';
import { copyOf, FIXTURES, fileOf, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { workday } from './workday.ts';

interface Outcome {
  readonly preset: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly compactions: number;
  readonly unfit: number;
  readonly recall: Readonly<
    Record<'identifiers' | 'files' | 'commands', { readonly held: number; readonly needed: number }>
  >;
}

interface Report {
  readonly sessions: readonly {
    readonly file: string;
    readonly window: number;
    readonly outcomes: readonly Outcome[];
  }[];
  readonly totals: readonly Outcome[];
}

const replay = async (...args: readonly string[]): Promise<Report> => {
  const { code, out } = await hear(['replay', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(out) as Report;
};

describe('a replay', () => {
  it('walks every preset through every call, and asks all of them for the same', async () => {
    const { totals } = await replay(workdayFile(), '--window', '6000');
    expect(totals.map(({ preset }) => preset)).toEqual([...Object.keys(presets), 'recording']);
    for (const one of totals) {
      expect(one.calls).toBe(19);
      expect(one.unfit).toBe(0);
      expect(one.compactions).toBeGreaterThan(one.preset === 'recording' ? -1 : 0);
      expect(one.tokens).toBe(one.cacheRead + one.cacheWrite);
      for (const name of ['identifiers', 'files', 'commands'] as const) {
        expect(one.recall[name].needed).toBe(totals[0]!.recall[name].needed);
        expect(one.recall[name].held).toBeLessThanOrEqual(one.recall[name].needed);
      }
    }
    expect(totals[0]!.recall.identifiers.needed).toBeGreaterThan(0);
  });

  it('in a window that holds everything hides nothing, so that there is nothing to recall', async () => {
    const { totals } = await replay(workdayFile(), '--window', '400000', '--preset', 'open-code');
    expect(totals).toMatchObject([
      { preset: 'open-code', compactions: 0, recall: { identifiers: { needed: 0 } } },
      { preset: 'recording', recall: { identifiers: { needed: 0 } } },
    ]);
  });

  it('adds several sessions up; a folder stands for the sessions in it, other files in it are passed over', async () => {
    const one = workdayFile();
    const other = copyOf('codex.jsonl');
    writeFileSync(join(dirname(other), 'manifest.json'), '{"not":"a session"}');
    mkdirSync(join(dirname(other), 'empty'));
    const args = ['--window', '6000', '--preset', 'default'] as const;
    const sum = await replay(one, dirname(other), ...args);
    expect(sum.sessions.map(({ file }) => file)).toEqual([one, other]);
    const apart = [(await replay(one, ...args)).totals[0]!, (await replay(other, ...args)).totals[0]!];
    expect(sum.totals[0]!.money).toBeCloseTo(apart[0]!.money + apart[1]!.money, 10);
    expect(sum.totals[0]!.calls).toBe(apart[0]!.calls + apart[1]!.calls);
  });

  it.each(FIXTURES)('of %s works', async (name) => {
    const { code, out } = await hear(['replay', fixturePath(name), '--window', '2000']);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('goes on where one of several files cannot be read, says so, and ends with code 1', async () => {
    const { code, out, err } = await hear([
      'replay',
      workdayFile(),
      fileOf('foreign.txt', 'hello'),
      '--preset',
      'default',
    ]);
    expect(code).toBe(1);
    expect(out).toContain('default');
    expect(err).toContain('foreign.txt');
  });

  it.each([['nothing'], ['default,nothing'], ['']])('with the preset %j is refused with code 2', async (names) => {
    const { code, out } = await hear(['replay', workdayFile(), '--preset', names]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it('takes the window of the flag before that of the environment before that of the recording', async () => {
    const record = workday();
    const usage = record.usage.map((one) => ({ ...one, window: 123_456 }));
    const file = workdayFile({ ...record, usage });
    const windowOf = async (args: readonly string[], environment: Record<string, string>): Promise<number> => {
      const { out } = await hear(['replay', file, '--json', '--preset', 'default', ...args], { environment });
      return (JSON.parse(out) as Report).sessions[0]!.window;
    };
    expect(await windowOf([], {})).toBe(123_456);
    expect(await windowOf([], { PALIMPSEST_WINDOW: '9000' })).toBe(9_000);
    expect(await windowOf(['--window', '7000'], { PALIMPSEST_WINDOW: '9000' })).toBe(7_000);
  });

  it('as a process of its own prints a table and a chart', async () => {
    const { code, out, err } = await runPalimpsest(['replay', workdayFile(), '--window', '6000']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of [...Object.keys(presets), 'recording']) expect(out.split(name).length).toBeGreaterThan(3);
    expect(out).toContain('█');
  });
});

describe('the bar chart', () => {
  it('keeps its width, and a larger value never has a shorter bar', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 30, max: 100 }),
        (values, columns) => {
          const lines = drawBarChart(
            values.map((value) => ({ label: 'x', value, told: String(value) })),
            columns,
          );
          const lengths = lines.map((line) => [...line.replace(/[^▏▎▍▌▋▊▉█]/g, '')].length);
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
          for (const [i, one] of values.entries())
            for (const [j, other] of values.entries())
              if (one > other) expect(lengths[i]!).toBeGreaterThanOrEqual(lengths[j]!);
        },
      ),
    );
  });
});

describe('the money of a replay', () => {
  it('is at the list price of the model of each recording, in dollars', async () => {
    const priceAs = async (model: string): Promise<Outcome> => {
      const { totals } = await replay(workdayFile({ ...workday(), model }), '--window', '6000', '--preset', 'default');
      return totals[0]!;
    };
    const [opus, sonnet] = [await priceAs('claude-opus-4-5'), await priceAs('claude-sonnet-4-5')];
    expect(opus.money).toBeGreaterThan(0);
    expect(opus.money).toBeCloseTo((sonnet.money * 5) / 3, 10);
  });

  it('is unknown where the price of the model is not known', async () => {
    const file = workdayFile({ ...workday(), model: 'gpt-9-nova' });
    const { totals } = await replay(file, '--window', '6000', '--preset', 'default');
    expect(totals.map(({ money }) => money)).toEqual([null, null]);
    const { out } = await hear(['replay', file, '--window', '6000', '--preset', 'default']);
    expect(out).toMatch(/^default .* unknown /m);
    expect(out).not.toContain('$');
  });
});

it('presets that come to the same are one row', async () => {
  const file = workdayFile();
  const { totals } = await replay(file, '--window', '400000');
  const ours = totals.filter(({ preset }) => preset !== 'recording');
  const rows = new Set(ours.map(({ preset: _, ...figures }) => JSON.stringify(figures))).size;
  expect(rows).toBeLessThan(ours.length);
  const { out } = await hear(['replay', file, '--window', '400000']);
  const [table = ''] = out.split('held of');
  expect(table.match(/^(?:default|claude-code|open-code|s08) +\d/gm)).toHaveLength(rows);
  expect(table).toMatch(/: the same as default$/m);
});
