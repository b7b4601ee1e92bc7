import { describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/audit/audit-recording.ts';
import { cacheBreaksOf } from '../../src/audit/cache-breaks.ts';
import { runPalimpsest } from '../run-palimpsest.ts';
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

  it("tells the user's rules and words that are there from those that are not", async () => {
    const [one] = (await audit(workdayFile())).compactions;
    expect(one!.losses.rules.needed).toBe(2);
    expect(one!.losses.rules.lost).toEqual(['Keep the public names as they are, only move them.']);
    expect(one!.losses.rules.lost).not.toContain(RULE);
    expect(one!.losses.words.lost.length).toBe(2);
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
    expect(one!.ours.map(({ preset }) => preset)).toEqual(['default', 'claude-code', 'open-code', 's08']);
    for (const { tokens, losses } of one!.ours) {
      expect(tokens).toBeLessThanOrEqual(one!.tokens);
      expect(losses.identifiers.needed).toBe(one!.losses.identifiers.needed);
      expect(losses.rules.lost).toEqual([]);
    }
  });
});

describe('cache breaks', () => {
  it('are drops in cache reads that no compaction explains; a pause longer than the cache lives is named', async () => {
    const { cacheBreaks } = await audit(workdayFile());
    expect(cacheBreaks.map(({ cause, read }) => [cause, read])).toEqual([
      ['pause', 0],
      ['unknown', 5_000],
    ]);
    expect(cacheBreaks.every(({ money }) => money > 0)).toBe(true);
  });

  it('are not told of the first call after a compaction, nor of small wavering', () => {
    const record = workday();
    const boundary = record.compactions[0]!.at;
    const reading = (after: number, cacheRead: number) => ({ after, usage: { cacheRead, input: 1 } });
    const usage = [reading(boundary - 1, 50_000), reading(boundary + 2, 4_000), reading(boundary + 4, 3_000)];
    expect(cacheBreaksOf({ ...record, usage })).toEqual([]);
  });
});

describe('every recording', () => {
  it.each(FIXTURES)('%s is audited; every compaction it holds is in the report', async (name) => {
    const report = await audit(fixturePath(name));
    for (const one of report.compactions) {
      expect(one.tokens).toBeGreaterThan(0);
      expect(one.ours).toHaveLength(4);
    }
    const printed = await hear(['audit', fixturePath(name)]);
    expect(printed.code).toBe(0);
    expect(printed.out.split('\n').filter((line) => line.length > 80)).toEqual([]);
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
  const { code, out, err } = await runPalimpsest(['audit', workdayFile()]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const one of ['Compaction 1', FORGOTTEN.command, 'ours: default', 'Cache breaks']) expect(out).toContain(one);
});
