import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AuditReport, cacheBreaksOf } from '@palimpsest/inspector';
import { describe, expect, it } from 'vitest';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { copyOf, FIXTURES, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { FORGOTTEN, REMEMBERED, RULE, workday } from './workday.ts';

const audit = async (file: string): Promise<AuditReport> => {
  const { code, out } = await hear(['audit', file, '--json']);
  expect(code).toBe(0);
  return JSON.parse(out) as AuditReport;
};

describe('what a compaction lost', () => {
  it('is what the agent used afterwards and had seen before, but the summary does not hold', async () => {
    const [one] = (await audit(workdayFile())).compactions;
    const { identifiers, files, commands } = one!.losses;
    expect(identifiers.lost).toContain(FORGOTTEN.identifier);
    expect(files.lost).toEqual(['rounding-table.ts', 'rates.ts']);
    expect(commands.lost).toEqual([FORGOTTEN.command]);
    expect(identifiers.lost).not.toContain(REMEMBERED.identifier);
    expect(files.lost).not.toContain('total.ts');
    expect(identifiers.needed).toBeGreaterThan(identifiers.lost.length);
  });

  it('tells sentences of the user that are there from those that are not', async () => {
    const [one] = (await audit(workdayFile())).compactions;
    expect(one!.losses.rules.needed).toBe(2);
    expect(one!.losses.rules.lost).toEqual(['Move the price rounding into a module of its own.']);
    expect(one!.losses.rules.lost).not.toContain(RULE);
    expect(one!.losses.words.lost).toContain('Keep the public names as they are, only move them.');
  });

  it('counts what had to be read and run again, with its tokens', async () => {
    const { reads, commands } = (await audit(workdayFile())).compactions[0]!.repeats;
    expect(reads.map(({ what }) => what).sort()).toEqual([
      '/shop/src/price/rounding-table.ts',
      '/shop/src/price/total.ts',
      '/shop/src/tax/rates.ts',
    ]);
    expect(reads.every(({ tokens }) => tokens > 100)).toBe(true);
    expect(commands).toMatchObject([{ what: FORGOTTEN.command, times: 1 }]);
  });

  it('is held against what each preset keeps of the same view in no more room', async () => {
    const [one] = (await audit(workdayFile())).compactions;
    expect(one!.ours.map(({ preset }) => preset)).toEqual([
      'default',
      'faithful',
      'lean',
      'claude-code',
      'open-code',
      's08',
    ]);
    for (const { tokens, losses } of one!.ours) {
      expect(tokens).toBeLessThanOrEqual(one!.tokens);
      expect(losses.identifiers.needed).toBe(one!.losses.identifiers.needed);
      expect(losses.rules.lost).toEqual([]);
    }
  });
});

describe('cache breaks', () => {
  it('are drops in cache reads that no compaction explains; a pause longer than the cache lives is named', async () => {
    const { cacheBreaks } = await audit(workdayFile({ ...workday(), model: 'claude-opus-4-5' }));
    expect(cacheBreaks.map(({ cause, read }) => [cause, read])).toEqual([
      ['pause', 0],
      ['unknown', 5_000],
    ]);
    const sonnet = (await audit(workdayFile({ ...workday(), model: 'claude-sonnet-4-5' }))).cacheBreaks;
    for (const [i, { money = 0 }] of cacheBreaks.entries()) expect(money).toBeCloseTo((sonnet[i]!.money! * 5) / 3, 10);
    expect(sonnet[0]!.money).toBeGreaterThan(0);
  });

  it('cost nothing that is told where the price of the model is not known', async () => {
    const file = workdayFile({ ...workday(), model: 'gpt-9-nova' });
    const { cacheBreaks, compactions } = await audit(file);
    expect(cacheBreaks.map(({ money }) => money)).toEqual([undefined, undefined]);
    expect(compactions[0]!.repeatsMoney).toBeUndefined();
    for (const flags of [['--all'], ['--md']]) expect((await hear(['audit', file, ...flags])).out).not.toContain('$');
    expect((await hear(['audit', workdayFile({ ...workday(), model: 'gpt-5.4' })])).out).toContain('about $');
  });

  it('are not told of the first call after a compaction, nor of small wavering', () => {
    const record = workday();
    const boundary = record.compactions[0]!.at;
    const reading = (after: number, cacheRead: number) => ({ after, usage: { cacheRead, input: 1 } });
    const usage = [reading(boundary - 1, 50_000), reading(boundary + 2, 4_000), reading(boundary + 4, 3_000)];
    expect(cacheBreaksOf({ ...record, usage }, undefined)).toEqual([]);
  });
});

describe('every recording', () => {
  it.each(FIXTURES)('%s is audited; every compaction it holds is in the report', async (name) => {
    const report = await audit(fixturePath(name));
    for (const one of report.compactions) {
      expect(one.tokens).toBeGreaterThan(0);
      expect(one.ours).toHaveLength(6);
    }
    for (const flags of [[], ['--all']]) {
      const printed = await hear(['audit', fixturePath(name), ...flags]);
      expect(printed.code).toBe(0);
      expect(printed.out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('without a compaction says that nothing was forgotten that way', async () => {
    const { out } = await hear(['audit', copyOf('cline.json')]);
    expect(out).toMatch(/Nothing was compacted/);
  });
});

it('invalid structures are named, with what would mend them', async () => {
  const record = workday();
  const broken = record.messages.filter((message) => message.id !== 'm3');
  const { problems } = await audit(workdayFile({ ...record, messages: broken, usage: [], compactions: [] }));
  expect(problems).toMatchObject([{ code: 'dangling-call' }]);
  expect(problems[0]!.done).not.toBe('');
});

it('as a process of its own prints the story and ends with code 0', async () => {
  const { code, out, err } = await runPalimpsest(['audit', workdayFile(), '--all']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const one of ['Compaction 1', FORGOTTEN.command, 'ours', 'Cache breaks']) expect(out).toContain(one);
});

describe('by default', () => {
  it('it is one screen: a verdict, three sentences, the worst compactions, and where there is more', async () => {
    const { out } = await hear(['audit', workdayFile()]);
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines[3]).toMatch(/^It forgot \w+ of what it went on to need\.$/);
    expect(lines.filter((line) => line.startsWith('· '))).toHaveLength(4);
    expect(out).toMatch(/#1 at \d+ .* → /);
    expect(out).toContain('--all');
  });

  it('its figures are those of the data', async () => {
    const file = workdayFile();
    const [one] = (await audit(file)).compactions;
    const { out } = await hear(['audit', file]);
    const { needed, lost } = one!.losses.identifiers;
    expect(out.replace(/\s+/g, ' ')).toContain(
      `Of ${needed} names and paths it had seen and used again, ${lost.length} (${((100 * lost.length) / needed).toFixed(1)} %) were gone.`,
    );
    const tokens = [...one!.repeats.reads, ...one!.repeats.commands].reduce((sum, repeat) => sum + repeat.tokens, 0);
    expect(out.replace(/\s+/g, ' ')).toContain(`${tokens.toLocaleString('en-US')} tokens of results`);
  });
});

it('sentences that only look like requests are no part of the verdict and are not called rules', async () => {
  const [record, seen] = [workday(), 'If tests are always green, I never look at them.'];
  const messages = record.messages.map((message) =>
    message.id === 'm1' ? { ...message, parts: [...message.parts, { type: 'text' as const, text: seen }] } : message,
  );
  const file = workdayFile({ ...record, messages });
  const [plain, more] = [await hear(['audit', workdayFile()]), await hear(['audit', file])];
  expect(more.out.split('\n')[3]).toBe(plain.out.split('\n')[3]);
  for (const flags of [[], ['--all'], ['--md']]) {
    const { out } = await hear(['audit', file, ...flags]);
    expect(out).not.toMatch(/\brules?\b/i);
    expect(out).toContain('requests');
  }
});

it('presets that keep the same are one row', async () => {
  const { out } = await hear(['audit', workdayFile(), '--all']);
  const [one] = (await audit(workdayFile())).compactions;
  const figures = new Set(one!.ours.map(({ preset: _, ...kept }) => JSON.stringify(kept)));
  expect(out.match(/^ {2}ours/gm)).toHaveLength(figures.size);
});

it('--md is for pasting: a heading, the verdict, a table, examples; nothing in it opens a tag or a fence', async () => {
  const { code, out } = await hear(['audit', workdayFile(), '--md']);
  expect(code).toBe(0);
  expect(out).toMatch(/^## Audit of `workday.jsonl`\n\n\*\*It forgot/);
  expect(out).toContain(`\`${FORGOTTEN.command}\``);
  expect(out).toMatch(/\| 1, after message \d+ \|/);
  expect(out).not.toMatch(/```|<script/);
});

it('a folder stands for the sessions in it, added up; what is no session there is passed over', async () => {
  const file = workdayFile();
  const folder = dirname(file);
  writeFileSync(join(folder, 'other.jsonl'), readFileSync(file));
  writeFileSync(join(folder, 'notes.json'), '{"milk": 2}');
  const { code, out } = await hear(['audit', folder]);
  expect(code).toBe(0);
  expect(out).toMatch(/^2 sessions/);
  const { needed } = (await audit(file)).compactions[0]!.losses.identifiers;
  expect(out).toContain(`Of ${2 * needed} names and paths`);
});

it('without a name it is the newest session of an agent that worked in this folder', async () => {
  const home = newFolder();
  const project = join(home, '.claude', 'projects', 'shop');
  mkdirSync(project, { recursive: true });
  const { cwd = '' } = workday();
  writeFileSync(join(project, 'a.jsonl'), readFileSync(workdayFile()));
  writeFileSync(join(project, 'b.jsonl'), readFileSync(copyOf('claude-code.jsonl')));
  const environment = { CLAUDE_CONFIG_DIR: join(home, '.claude'), XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const { code, out } = await hear(['audit'], { cwd, environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^a\.jsonl/);
});
