import { estimateText } from '@palimpsest/core';
import { exactCounter } from '@palimpsest/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runPalimpsest } from '../run-palimpsest.ts';
import { copyOf, FIXTURES, fileOf, fixturePath, workdayFile, workdayInPi } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { FORGOTTEN, REMEMBERED, RULE } from './workday.ts';

const digestOf = async (...args: readonly string[]): Promise<string> => {
  const heard = await hear(['digest', ...args]);
  expect(heard).toMatchObject({ code: 0 });
  return heard.out;
};

describe('the digest of a recording', () => {
  it.each(FIXTURES)('of %s is printed by the command, within the limit and nothing else', async (name) => {
    const { code, out } = await runPalimpsest(['digest', fixturePath(name), '--max-chars', '400']);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(0);
    expect(out.length).toBeLessThanOrEqual(400);
    expect(out).toMatch(/^## /m);
    expect(out.endsWith('\n')).toBe(true);
  });

  it('is the same every time', async () => {
    const file = workdayFile();
    expect(await digestOf(file)).toBe(await digestOf(file));
  });

  it('never has more characters than --max-chars, its last line end counted', async () => {
    const files = [workdayFile(), ...FIXTURES.map(fixturePath)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.integer({ min: 64, max: 6_000 }), async (file, most) => {
        expect((await digestOf(file, '--max-chars', String(most))).length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 150 },
    );
  });

  it('never has more tokens than --max-tokens, neither counted exactly nor by the estimate', async () => {
    const files = [workdayFile(), ...FIXTURES.map(fixturePath)];
    const exact = exactCounter();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.integer({ min: 16, max: 2_000 }), async (file, most) => {
        const out = await digestOf(file, '--max-tokens', String(most));
        expect(Math.max(exact.text(out), estimateText(out))).toBeLessThanOrEqual(most);
      }),
      { numRuns: 60 },
    );
  });

  it('with both limits keeps both', async () => {
    const out = await digestOf(workdayFile(), '--max-chars', '900', '--max-tokens', '120');
    expect(out.length).toBeLessThanOrEqual(900);
    expect(estimateText(out)).toBeLessThanOrEqual(120);
  });

  it('fills a limit that is smaller than what there is to say', async () => {
    const args = [workdayFile(), '--until', 'boundary:1', '--max-chars'] as const;
    const whole = await digestOf(...args, '20000');
    const half = Math.floor(whole.length / 2);
    expect((await digestOf(...args, String(half))).length).toBeGreaterThan(half * 0.8);
  });

  it("holds the user's rule, and what the agent's own summary left out", async () => {
    const out = await digestOf(workdayFile(), '--until', 'boundary:1', '--max-chars', '2000');
    for (const one of [RULE, FORGOTTEN.identifier, FORGOTTEN.command, REMEMBERED.identifier])
      expect(out).toContain(one);
  });

  it('has no control characters that a terminal would obey', async () => {
    const line = {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      message: { role: 'user', content: 'never \u001b[2Jpush\u0007 it' },
    };
    const out = await digestOf(fileOf('s.jsonl', `${JSON.stringify(line)}\n`));
    expect(out).toContain('push');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });

  it('of a session in which nothing was said is empty', async () => {
    const line = { type: 'session', version: 3, id: 'empty', timestamp: '2026-03-02T09:00:00.000Z', cwd: '/' };
    expect(await digestOf(fileOf('empty.jsonl', `${JSON.stringify(line)}\n`))).toBe('');
  });
});

describe('--until', () => {
  it('boundary:1 is what was in view before the first compaction: nothing said later is in it', async () => {
    const until = await digestOf(workdayFile(), '--until', 'boundary:1', '--max-tokens', '8000');
    const whole = await digestOf(workdayFile(), '--max-tokens', '8000');
    expect(until).not.toContain('And what about the tax rates?');
    expect(whole).toContain('And what about the tax rates?');
  });

  it('N is what was in view when N messages had been said', async () => {
    const out = await digestOf(workdayFile(), '--until', '1', '--max-tokens', '8000');
    expect(out).toContain(RULE);
    expect(out).not.toContain(FORGOTTEN.identifier);
  });

  it('counts compactions alike in every format that records them', async () => {
    const args = ['--until', 'boundary:1', '--max-tokens', '8000'] as const;
    expect(await digestOf(workdayInPi(), ...args)).toBe(await digestOf(workdayFile(), ...args));
  });

  it('does not count a mere clearing of results: history did not give way there', async () => {
    const file = copyOf('claude-code-compacted.jsonl');
    const audit = JSON.parse((await hear(['audit', file, '--json'])).out) as {
      compactions: { type: string; boundary?: number }[];
    };
    const numbers = audit.compactions.map(({ type, boundary }) => [type, boundary]);
    expect(numbers.filter(([type]) => type === 'clear').length).toBeGreaterThan(0);
    expect(numbers.filter(([type]) => type === 'clear').every(([, boundary]) => boundary === undefined)).toBe(true);
    const counted = numbers.flatMap(([, boundary]) => boundary ?? []);
    expect(counted).toEqual(counted.map((_, i) => i + 1));
    expect((await hear(['digest', file, '--until', `boundary:${counted.length}`])).code).toBe(0);
    expect((await hear(['digest', file, '--until', `boundary:${counted.length + 1}`])).code).toBe(2);
  });

  it.each(['boundary:0', 'boundary:x', 'boundary:', '0', '-1', '1.5', 'end', 'boundary:2', '100000'])(
    '%s is refused with code 2, one line, and nothing on stdout',
    async (place) => {
      const { code, out, err } = await hear(['digest', workdayFile(), `--until=${place}`]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).toContain(place);
    },
  );
});

describe('--json', () => {
  it('holds the same text, its size and its sections', async () => {
    const file = workdayFile();
    const told = JSON.parse(await digestOf(file, '--json', '--max-chars', '1200')) as {
      text: string;
      chars: number;
      sections: { text: string }[];
    };
    expect(told.text).toBe(await digestOf(file, '--max-chars', '1200'));
    expect(told.chars).toBe(told.text.length);
    for (const { text } of told.sections) expect(told.text).toContain(text);
  });
});

describe('limits that cannot be kept', () => {
  it.each([
    ['--max-chars', '63'],
    ['--max-chars', '0'],
    ['--max-chars', 'many'],
    ['--max-tokens', '15'],
    ['--max-tokens', '-4'],
  ])('%s %s is refused with code 2', async (...limit) => {
    const { code, out, err } = await hear(['digest', workdayFile(), ...limit]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });
});
