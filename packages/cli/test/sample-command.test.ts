import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { presets } from '@palimpsest/core';
import { textWidth } from '@palimpsest/terminal';
import pc from 'picocolors';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../src/program.ts';
import type { SampleReport } from '../src/sample/report.ts';
import type { Terminal } from '../src/terminal.ts';
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

  it("shows the user's rules at every model call since they were said", () => {
    expect(report.rules.length).toBeGreaterThan(0);
    for (const { inViews, ofViews } of report.rules) expect(inViews).toBe(ofViews);
  });

  it('says of each of the words of the user where they are', () => {
    expect(report.words).toHaveLength(report.turns);
    for (const { shown, ref } of report.words) expect(shown === 'whole' || ref !== undefined).toBe(true);
  });

  it('is compacted by every trigger that a person or a provider can pull', async () => {
    // In the window of its own the limit is reached just before the user asks: nothing is left to do then.
    const { out } = await runPalimpsest(['--json', '--window', '18000']);
    const triggers = new Set((JSON.parse(out) as SampleReport).compactions.map(({ receipt }) => receipt.trigger));
    expect(triggers).toEqual(new Set(['auto', 'manual', 'overflow']));
  });
});

const leftIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('palimpsest'));

describe('what is printed', () => {
  it.each(Object.keys(presets))(
    'with the preset %s fits 80 columns, has no escape codes and leaves no file',
    async (preset) => {
      const TMPDIR = newFolder();
      // CI is set where tests run: colours must not get into a pipe because of it.
      const { code, out, err } = await runPalimpsest(['--preset', preset], { env: { CI: 'true', TMPDIR } });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.split('\n').filter((line) => textWidth(line) > 80)).toEqual([]);
      expect(out).not.toContain(ESCAPE);
      expect(leftIn(TMPDIR)).toEqual([]);
      for (const { name } of presets[preset as keyof typeof presets]()) expect(out).toContain(name);
    },
  );

  it('names the cause by the layer: a snip is of a long history, never of stale results', async () => {
    const { out } = await runPalimpsest(['--preset', 's08']);
    const causes = (layer: string): ReadonlySet<string | undefined> =>
      new Set(
        [...out.matchAll(/ auto {6}(\S.*?) {2,}[\d,]+ → +[\d,]+ {2}(\S+)$/gm)].flatMap(([, why, by]) =>
          by === layer ? [why] : [],
        ),
      );
    expect(causes('snip-middle')).toEqual(new Set(['long history']));
    expect(causes('clear-old-results')).toEqual(new Set(['old results']));
    expect(out).not.toContain('stale results');
  });

  it.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('with %j has colours: %s', async (env, coloured) => {
    const { out } = await runPalimpsest([], { env, onFirstWords: (child) => child.kill('SIGINT') });
    expect(out.includes(ESCAPE)).toBe(coloured);
  });

  it.each([
    [[], '24,000'],
    [['--window', '20000'], '20,000'],
  ])('is for the window of the flag %j, else for that of PALIMPSEST_WINDOW', async (args, window) => {
    const env = { PALIMPSEST_WINDOW: '24000' };
    const { out } = await runPalimpsest(args, { env, onFirstWords: (child) => child.kill('SIGINT') });
    expect(out).toContain(`The window has ${window} tokens`);
  });
});

describe('the files of the sample', () => {
  it('are gone after Ctrl-C, which ends it with code 130', async () => {
    const TMPDIR = newFolder();
    const ran = await runPalimpsest([], { env: { TMPDIR }, onFirstWords: (child) => child.kill('SIGINT') });
    expect(ran).toMatchObject({ code: 130, err: '' });
    expect(leftIn(TMPDIR)).toEqual([]);
  });

  it('are gone when nobody reads the output any more, which is no error', async () => {
    const TMPDIR = newFolder();
    const ran = await runPalimpsest([], { env: { TMPDIR }, onFirstWords: (child) => child.stdout!.destroy() });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(leftIn(TMPDIR)).toEqual([]);
  });

  it('stay where --keep says, a real file for every stashed text, and are not mixed with those of another run', async () => {
    const folder = join(newFolder(), 'kept');
    const { out, code } = await runPalimpsest(['--json', '--keep', folder]);
    expect(code).toBe(0);
    const report = JSON.parse(out) as SampleReport;
    const stashed = report.layers.flatMap((layer) => layer.stashed);
    expect(stashed.length).toBeGreaterThan(0);
    for (const ref of stashed) expect(existsSync(join(folder, report.stashFolder, `${ref}.txt`))).toBe(true);

    const journal = join(report.keptIn!, 'journal.jsonl');
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
    [['--window', '1999'], /--window 2000 or more/],
    [['--window', '12.5'], /window/],
    [['--preset', 'nothing'], /preset/],
    [['--colour'], /--colour/],
    [['compcat'], /compcat/],
    [['sample', 'more'], /argument/],
  ])('%j is refused with code 2 and one line that names it', async (args, named) => {
    const terminal = recordingTerminal();
    expect(await runProgram(args, terminal)).toBe(2);
    expect(terminal.printed).toEqual([]);
    expect(terminal.complaints).toHaveLength(1);
    expect(terminal.complaints[0]).toMatch(named);
  });

  it('ends the process with code 2 and a clear line', async () => {
    const { code, out, err } = await runPalimpsest(['--window', 'many']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('in the environment is refused the same way', async () => {
    const { code, err } = await runPalimpsest([], { env: { PALIMPSEST_WINDOW: 'large' } });
    expect(code).toBe(2);
    expect(err).toContain('PALIMPSEST_WINDOW');
  });
});

it('help and version go to stdout with code 0', async () => {
  for (const [flag, said] of [
    ['--help', /sample/],
    ['--version', /^\d+\./],
  ] as const) {
    const terminal = recordingTerminal();
    expect(await runProgram([flag], terminal)).toBe(0);
    expect(terminal.complaints).toEqual([]);
    expect(terminal.printed.join('\n')).toMatch(said);
  }
});

/** A terminal that remembers. */
function recordingTerminal(): Terminal & { readonly printed: string[]; readonly complaints: string[] } {
  const printed: string[] = [];
  const complaints: string[] = [];
  return {
    printed,
    complaints,
    print: (line = '') => void printed.push(line),
    complain: (line) => void complaints.push(line),
    paint: pc.createColors(false),
    columns: 80,
    signal: new AbortController().signal,
    environment: {},
    cwd: '.',
  };
}
