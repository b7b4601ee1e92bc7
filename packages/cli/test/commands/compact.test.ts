import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { violationOf } from '@palimpsest/core';
import { readSession } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import type { CompactedFile } from '../../src/recordings/compacted-file.ts';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { copyOf, FIXTURES, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { RULE } from './workday.ts';

interface Report {
  readonly written: { readonly file: string; readonly format: string; readonly id?: string };
  readonly view: { readonly messages: number; readonly tokens: number; readonly fits: boolean };
  readonly tokensBefore: number;
  readonly compactions: readonly { readonly receipt: { readonly trigger: string } }[];
  readonly instructed?: boolean;
}

const compact = async (file: string, ...args: readonly string[]): Promise<Report> => {
  const { code, out, err } = await hear(['compact', file, '--json', ...args], { cwd: dirname(file) });
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Report;
};

describe('every recording', () => {
  it.each(FIXTURES)(
    '%s is compacted into every format, in the folder one stands in, and is itself untouched',
    async (name) => {
      const file = copyOf(name);
      const before = readFileSync(file);
      const own = readSession(before);
      for (const to of ['claude-code', 'pi', 'json'] as const) {
        const { written, view } = await compact(file, '--to', to, '--force');
        expect(dirname(written.file)).toBe(dirname(file));
        expect(view.fits).toBe(true);
        const text = readFileSync(written.file, 'utf8');
        if (to === 'json') {
          const { transcript, view: shown } = JSON.parse(text) as CompactedFile;
          expect(transcript.map(({ id }) => id)).toEqual(own.messages.map(({ id }) => id));
          expect(violationOf(shown)).toBeUndefined();
        } else {
          const back = readSession(text);
          expect(back.format).toBe(to);
          expect(back.messages).toEqual(own.messages);
          const shown = back.viewAt(back.messages.length);
          expect(shown).toHaveLength(view.messages);
          expect(violationOf(shown)).toBeUndefined();
        }
      }
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );
});

describe('a session larger than the window', () => {
  it('is compacted on the way and asked at the end, and the rule stays in view', async () => {
    const file = workdayFile();
    const { compactions, view, tokensBefore, written } = await compact(file, '--window', '8000');
    expect(compactions.at(-1)!.receipt.trigger).toBe('manual');
    expect(compactions.length).toBeGreaterThan(1);
    expect(view.tokens).toBeLessThan(tokensBefore);
    const shown = readSession(readFileSync(written.file)).viewAt(Number.POSITIVE_INFINITY);
    expect(JSON.stringify(shown)).toContain(RULE);
  });

  it('that no view fits is said, with the smallest there is, and nothing is written', async () => {
    const file = workdayFile();
    const { code, out, err } = await runPalimpsest(['compact', file, '--window', '10']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/the smallest has \d+\. Nothing was written; state a larger --window/);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it.each(['default', 'claude-code', 'open-code', 's08'])('walks through the preset %s', async (preset) => {
    const { view } = await compact(workdayFile(), '--window', '8000', '--preset', preset);
    expect(view.fits).toBe(true);
  });
});

describe('--dry', () => {
  it.each(FIXTURES)('%s: looks at what would go, and writes nothing', async (name) => {
    const file = copyOf(name);
    const { code, out, err } = await hear(['compact', '--dry', file], { cwd: dirname(file) });
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/A compaction now: |nothing to gain/);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('shows just what the compaction does, on one screen', async () => {
    const file = workdayFile();
    const looked = await hear(['compact', '--dry', file, '--window', '8000'], { cwd: dirname(file) });
    expect(looked.out.split('\n').length).toBeLessThanOrEqual(24);
    const { preview } = JSON.parse(
      (await hear(['compact', '--dry', file, '--window', '8000', '--json'], { cwd: dirname(file) })).out,
    ) as { preview: { receipt: unknown; tokensAfter: number } };
    const { compactions, view } = await compact(file, '--window', '8000');
    expect(compactions.at(-1)!.receipt).toEqual(preview.receipt);
    expect(view.tokens).toBe(preview.tokensAfter);
  });

  it('lists everything with --all, which means nothing alone', async () => {
    const file = workdayFile();
    const { out } = await hear(['compact', '--dry', '--all', file, '--window', '8000'], { cwd: dirname(file) });
    expect(out).not.toContain('… and');
    expect((await hear(['compact', '--all', file], { cwd: dirname(file) })).code).toBe(2);
  });
});

describe('what is written', () => {
  it('is in the format of the recording where that can be written, else data', async () => {
    expect((await compact(workdayFile())).written.format).toBe('claude-code');
    expect((await compact(copyOf('pi.jsonl'))).written.format).toBe('pi');
    expect((await compact(copyOf('codex.jsonl'))).written.format).toBe('json');
  });

  it('is a session of its own, known by an id of its own, the same for the same input', async () => {
    const one = (await compact(workdayFile())).written;
    const other = (await compact(workdayFile())).written;
    expect(one.id).toBe(other.id);
    expect(readSession(readFileSync(one.file)).id).toBe(one.id);
    expect(readFileSync(one.file).equals(readFileSync(other.file))).toBe(true);
  });

  it('can be read by nobody else', async () => {
    expect(statSync((await compact(workdayFile())).written.file).mode & 0o077).toBe(0);
  });

  it('goes into the folder one stands in: the recording’s own is not ours to fill', async () => {
    const [file, cwd] = [workdayFile(), newFolder()];
    const { code, out } = await hear(['compact', file], { cwd });
    expect(code).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(['workday.jsonl']);
    expect(readdirSync(cwd)).toEqual(['workday.compacted.jsonl']);
    expect(out).toContain('Written workday.compacted.jsonl (');
    expect(out).toContain('It is in this folder, not beside the recording; --out names another place.');
    const named = await hear(['compact', file, '--out', join(cwd, 'mine.jsonl')], { cwd });
    expect(named.out).toContain('Written mine.jsonl (');
  });

  it('goes where --out says', async () => {
    const file = workdayFile();
    const out = join(dirname(file), 'elsewhere.jsonl');
    expect((await compact(file, '--out', out)).written.file).toBe(out);
    expect(readdirSync(dirname(file)).sort()).toEqual(['elsewhere.jsonl', 'workday.jsonl']);
  });

  it('carries the instructions to whoever goes on from it', async () => {
    const { instructed, written } = await compact(workdayFile(), '--instructions', 'mind the rates');
    expect(instructed).toBe(true);
    const shown = readSession(readFileSync(written.file)).viewAt(Number.POSITIVE_INFINITY);
    expect(JSON.stringify(shown)).toContain('mind the rates');
  });

  it('can be looked behind: recall reads what a reference of the receipt hid', async () => {
    const file = workdayFile();
    const { written } = await compact(file, '--to', 'json', '--window', '8000');
    const { receipts } = JSON.parse(readFileSync(written.file, 'utf8')) as CompactedFile;
    const ref = receipts.at(-1)!.lines[0]!.refs[0]!;
    const { code, out } = await hear(['recall', written.file, ref]);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(10);
  });
});

describe('a file that is there already', () => {
  it('is not written over without --force', async () => {
    const file = workdayFile();
    const target = join(dirname(file), 'workday.compacted.jsonl');
    writeFileSync(target, 'mine');
    const { code, err } = await hear(['compact', file], { cwd: dirname(file) });
    expect(code).toBe(2);
    expect(err).toContain(target);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    await compact(file, '--force');
    expect(readFileSync(target, 'utf8')).not.toBe('mine');
    expect(readdirSync(dirname(file))).toHaveLength(2);
  });

  it.each(['name', 'symbolic link', 'hard link'])(
    'is never the session itself, whatever its %s and with --force',
    async (how) => {
      const file = workdayFile();
      const before = readFileSync(file);
      const other = join(dirname(file), 'other.jsonl');
      if (how === 'symbolic link') symlinkSync(basename(file), other);
      if (how === 'hard link') linkSync(file, other);
      const { code, err } = await hear(['compact', file, '--force', '--out', how === 'name' ? file : other]);
      expect(code).toBe(2);
      expect(err).toMatch(/never written over/);
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  it('is not replaced where it is no ordinary file', async () => {
    const file = workdayFile();
    const folder = join(dirname(file), 'folder');
    mkdirSync(folder);
    expect((await hear(['compact', file, '--force', '--out', folder])).code).toBe(2);
    expect((await hear(['compact', file, '--force', '--out', '/dev/null'])).code).toBe(2);
    expect(existsSync('/dev/null')).toBe(true);
  });
});

it.each(['claude-code', 'pi', 'json'] as const)(
  'what is written as %s speaks of a recall only where its references can be read',
  async (to) => {
    const { written } = await compact(workdayFile(), '--window', '8000', '--to', to);
    const text = readFileSync(written.file, 'utf8');
    const { messages, viewAt } = to === 'json' ? { messages: [], viewAt: undefined } : readSession(text);
    const view = viewAt?.(messages.length) ?? (JSON.parse(text) as CompactedFile).view;
    const known = new Set(messages.map(({ id }) => id));
    const made = JSON.stringify(view.filter(({ id, origin }) => origin === 'palimpsest' || !known.has(id)));
    if (to === 'json') expect(made).toMatch(/recall e\d/);
    else expect(made).toMatch(/\(e\d/);
    if (to !== 'json') expect(made).not.toMatch(/recall/);
  },
);

it('prints the walk, the receipt with references, and where it was written, within 80 columns', async () => {
  const file = workdayFile();
  const cwd = realpathSync(dirname(file));
  const { code, out, err } = await runPalimpsest(['compact', file, '--window', '8000', '--to', 'json'], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/summarize-history/);
  expect(out).toMatch(/recall e\d+/);
  expect(out).toContain('Written workday.compacted.json (');
  const long = out.split('\n').filter((line) => line.length > 80 && !line.includes(dirname(file)));
  expect(long).toEqual([]);
});
