import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { presets } from '@palimpsest/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleReport } from '../src/sample/report.ts';
import { textWidth } from '../src/text-width.ts';
import { newFolder, type Ran, runPalimpsest } from './run-palimpsest.ts';

const ESCAPE = '\u001b';

describe('the sample, walked through the default preset', () => {
  let ran: Ran;
  let report: SampleReport;

  beforeAll(async () => {
    ran = await runPalimpsest(['--json']);
    report = JSON.parse(ran.out) as SampleReport;
  });

  it('ends with code 0 and no complaint', () => {
    expect(ran).toMatchObject({ code: 0, err: '' });
  });

  it('makes every layer of the preset act', () => {
    expect(report.layers.map(({ layer }) => layer)).toEqual(presets.default().map(({ name }) => name));
    expect(report.layers.filter(({ acted }) => acted === 0)).toEqual([]);
  });

  it('has a reference for everything that a layer hid', () => {
    for (const { hidden, refs } of report.layers) {
      expect(hidden.length).toBeGreaterThan(0);
      expect(refs.length).toBeGreaterThan(0);
    }
  });

  it('finds everything again, and undoes exactly', () => {
    expect(report.proofs.length).toBeGreaterThan(4);
    expect(report.proofs.filter(({ kept }) => !kept)).toEqual([]);
  });

  it('never hands out a view that does not fit', () => {
    expect(report.view.unfit).toBe(0);
    expect(report.view.tokens).toBeLessThan(report.budget.trigger);
    expect(report.transcript.tokens).toBeGreaterThan(5 * report.budget.window);
  });

  it("still shows the user's rules at the last call", () => {
    expect(report.rules.length).toBeGreaterThan(0);
    expect(report.rules.filter(({ inLast }) => !inLast)).toEqual([]);
  });

  it('says of each of the words of the user where they are', () => {
    expect(report.words).toHaveLength(report.turns);
    for (const { shown, ref } of report.words) expect(shown === 'whole' || ref !== undefined).toBe(true);
  });

  it('is compacted by every trigger that a person or a provider can pull', () => {
    const triggers = new Set(report.compactions.map(({ receipt }) => receipt.trigger));
    expect(triggers).toEqual(new Set(['auto', 'manual', 'overflow']));
  });
});

describe('what is printed', () => {
  it.each(Object.keys(presets))('fits 80 columns with the preset %s', async (preset) => {
    const { code, out } = await runPalimpsest(['--preset', preset]);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => textWidth(line) > 80)).toEqual([]);
    for (const { name } of presets[preset as keyof typeof presets]()) expect(out).toContain(name);
  });

  it('has no escape codes in a pipe, not even where CI is set', async () => {
    expect((await runPalimpsest([], { env: { CI: 'true' } })).out).not.toContain(ESCAPE);
  });

  it('has no escape codes with NO_COLOR, whatever else is said', async () => {
    const { out } = await runPalimpsest([], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } });
    expect(out).not.toContain(ESCAPE);
  });

  it('has colours where they are forced', async () => {
    expect((await runPalimpsest([], { env: { FORCE_COLOR: '1' } })).out).toContain(ESCAPE);
  });
});

describe('the files of the sample', () => {
  it('are gone at the end, from the temporary folder too', async () => {
    const TMPDIR = newFolder();
    expect((await runPalimpsest([], { env: { TMPDIR } })).code).toBe(0);
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith('palimpsest'))).toEqual([]);
  });

  it('are gone after Ctrl-C, which ends it with code 130', async () => {
    const TMPDIR = newFolder();
    const ran = await runPalimpsest([], { env: { TMPDIR }, onFirstWords: (child) => child.kill('SIGINT') });
    expect(ran.code).toBe(130);
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith('palimpsest'))).toEqual([]);
  });

  it('are gone when nobody reads the output any more, which is no error', async () => {
    const TMPDIR = newFolder();
    const ran = await runPalimpsest([], { env: { TMPDIR }, onFirstWords: (child) => child.stdout!.destroy() });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith('palimpsest'))).toEqual([]);
  });

  it('stay where --keep says, with a real file for every stashed text', async () => {
    const folder = join(newFolder(), 'kept');
    const { out, code } = await runPalimpsest(['--json', '--keep', folder]);
    expect(code).toBe(0);
    const report = JSON.parse(out) as SampleReport;
    const stashed = report.layers.flatMap((layer) => layer.stashed);
    expect(stashed.length).toBeGreaterThan(0);
    for (const ref of stashed) expect(existsSync(join(folder, report.stashFolder, `${ref}.txt`))).toBe(true);
  });

  it('are not mixed with an earlier sample: that is refused and left as it is', async () => {
    const folder = newFolder();
    expect((await runPalimpsest(['--keep', folder])).code).toBe(0);
    const journal = join(folder, 'sample', 'journal.jsonl');
    const before = readFileSync(journal);
    const again = await runPalimpsest(['--keep', folder]);
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/already holds a sample session/);
    expect(readFileSync(journal).equals(before)).toBe(true);
  });

  it('that cannot be written are a clear line and code 1', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, 'not a folder');
    const { code, err } = await runPalimpsest(['--keep', file]);
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(file);
  });
});

describe('what cannot be meant', () => {
  it.each([
    [['--window', '0'], /window/],
    [['--window', 'many'], /window/],
    [['--window', '12.5'], /window/],
    [['--preset', 'nothing'], /preset/],
    [['--colour'], /--colour/],
    [['compcat'], /compcat/],
    [['sample', 'more'], /argument/],
  ])('%j is refused with code 2 and a line that names it', async (args, named) => {
    const { code, out, err } = await runPalimpsest(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(named);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('a switch in the environment that is no number is refused the same way', async () => {
    const { code, err } = await runPalimpsest([], { env: { PALIMPSEST_WINDOW: 'large' } });
    expect(code).toBe(2);
    expect(err).toContain('PALIMPSEST_WINDOW');
  });
});

it('the window comes from the flag, else from PALIMPSEST_WINDOW', async () => {
  const env = { PALIMPSEST_WINDOW: '24000' };
  const windowOf = async (args: readonly string[]): Promise<number> =>
    (JSON.parse((await runPalimpsest(['--json', ...args], { env })).out) as SampleReport).budget.window;
  expect(await windowOf([])).toBe(24_000);
  expect(await windowOf(['--window', '20000'])).toBe(20_000);
});

it('help and version go to stdout with code 0', async () => {
  expect(await runPalimpsest(['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('sample') });
  expect(await runPalimpsest(['--version'])).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^\d+\./) });
});
