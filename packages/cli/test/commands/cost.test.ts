import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { costOfUsage } from '@palimpsest/core';
import { readSession } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../run-palimpsest.ts';
import { FIXTURES, fileOf, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { workday } from './workday.ts';

interface Told {
  readonly total: {
    readonly calls: number;
    readonly money: number;
    readonly input: number;
    readonly cacheWrite: number;
    readonly unpriced: number;
  };
  readonly repeated: number;
  readonly day: readonly { readonly name: string; readonly money: number }[];
  readonly model: readonly { readonly name: string; readonly money: number }[];
  readonly session: readonly { readonly name: string }[];
}

const cost = async (words: readonly string[], about = {}): Promise<Told> => {
  const { code, out, err } = await hear(['cost', ...words, '--json'], about);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Told;
};

const MODEL = 'claude-opus-4-5-20251101';
const LISTED = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };

describe('what was used', () => {
  it('costs what the vendor asks for the model, in dollars; the tables add up to it', async () => {
    const file = workdayFile({ ...workday(), model: MODEL });
    const { usage } = readSession(readFileSync(file));
    const money = usage.reduce((sum, one) => sum + costOfUsage(one.usage, LISTED), 0);
    const { total, day, model } = await cost([file]);
    expect(total.calls).toBe(usage.length);
    expect(total.money).toBeCloseTo(money, 10);
    for (const table of [day, model]) expect(table.reduce((sum, one) => sum + one.money, 0)).toBeCloseTo(money, 10);
    expect(day[0]!.name).toBe('2026-03-02');
    expect(model[0]!.name).toBe(MODEL);
    const { out } = await hear(['cost', file]);
    expect(out).toMatch(/^\$\d.*\nUS dollars, at the vendors' list prices of \d{4}-\d{2}/);
  });

  it('charges twice the input price for what was cached for an hour', async () => {
    const file = workdayFile({ ...workday(), model: MODEL });
    const before = await cost([file]);
    const text = readFileSync(file, 'utf8').replace(
      /"cache_creation_input_tokens":(\d+)/g,
      '$&,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":$1}',
    );
    writeFileSync(file, text);
    const { total } = await cost([file]);
    expect(total.cacheWrite).toBe(before.total.cacheWrite);
    expect(total.cacheWrite).toBeGreaterThan(0);
    const dearer = 2 * LISTED.input - LISTED.cacheWrite;
    expect(total.money).toBeCloseTo(before.total.money + (total.cacheWrite * dearer) / 1e6, 10);
  });

  it('has no price where that of the model is not known, and the model is named', async () => {
    const file = workdayFile({ ...workday(), model: 'gpt-9-nova' });
    const { total } = await cost([file]);
    expect(total).toMatchObject({ money: 0, unpriced: total.calls });
    const { out } = await hear(['cost', file, '--by', 'model']);
    expect(out).toMatch(/^unknown in \d+ model calls/);
    expect(out).toContain('gpt-9-nova.');
    expect(out).toMatch(/^gpt-9-nova +unknown /m);
    expect(out).not.toContain('$0');
  });

  it('of two models costs what each of them costs', async () => {
    const record = workday();
    const usage = record.usage.map((one, i) => (i % 2 === 0 ? one : { ...one, model: 'gpt-5.4' }));
    const { model } = await cost([workdayFile({ ...record, model: MODEL, usage })]);
    expect(model.map(({ name }) => name).sort()).toEqual([MODEL, 'gpt-5.4']);
    const others = usage.filter((one) => one.model === 'gpt-5.4');
    const money = others.reduce(
      (sum, one) => sum + costOfUsage(one.usage, { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 }),
      0,
    );
    expect(model.find(({ name }) => name === 'gpt-5.4')!.money).toBeCloseTo(money, 10);
  });

  it('costs what a table of prices says of its model, by the longest name that fits', async () => {
    const file = workdayFile({ ...workday(), model: MODEL });
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const dear = { input: 50, output: 250, cacheRead: 5, cacheWrite: 62.5 };
    const prices = fileOf('prices.json', JSON.stringify({ claude: free, [MODEL]: dear }));
    const usual = await cost([file]);
    const own = await cost([file, '--prices', prices]);
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

  it('counts a request once, however many copies and forks of its session there are', async () => {
    const file = workdayFile({ ...workday(), model: MODEL });
    const one = await cost([file]);
    const folder = dirname(file);
    const text = readFileSync(file, 'utf8');
    const { id = '' } = readSession(text);
    // A copy; a fork, which has an id of its own and ends early; and what is no session.
    writeFileSync(join(folder, 'copy.jsonl'), text);
    const early = text.split('\n').slice(0, 40).join('\n');
    writeFileSync(join(folder, 'fork.jsonl'), early.replaceAll(id, '00000000-0000-4000-8000-000000000001'));
    writeFileSync(join(folder, 'notes.json'), '{}');
    const all = await cost([folder]);
    expect(all.total).toEqual(one.total);
    expect(all.repeated).toBeGreaterThan(one.total.calls);
  });

  it.each(['claude-code', 'codex'])('tells the requests of forked %s sessions by their ids', async (format) => {
    const lines = format === 'codex' ? codexLines : claudeLines;
    const [first, fork] = [lines('one', 4), lines('two', 6)].map((some) => fileOf('session.jsonl', some.join('\n')));
    const { total } = await cost([first!, fork!]);
    expect([total.calls, total.input]).toEqual([6, 60]);
  });
});

const stamp = (second: number): string => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();

/** A session whose first requests were copied into the fork with its own session id and times. */
const claudeLines = (sessionId: string, requests: number): readonly string[] =>
  Array.from({ length: requests }, (_, i) =>
    JSON.stringify({
      type: 'assistant',
      uuid: `${sessionId}-${i}`,
      parentUuid: i === 0 ? null : `${sessionId}-${i - 1}`,
      sessionId,
      requestId: `req_${i}`,
      timestamp: stamp(sessionId === 'one' ? i : i + 30),
      message: {
        id: `msg_${i}`,
        role: 'assistant',
        model: MODEL,
        content: [{ type: 'text', text: `answer ${i}` }],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    }),
  );

const codexLines = (id: string, requests: number): readonly string[] => {
  const event = (type: string, payload: object): string => JSON.stringify({ timestamp: stamp(0), type, payload });
  const heads = id === 'one' ? ['one'] : ['two', 'one'];
  return [
    ...heads.map((one) => event('session_meta', { id: one, cwd: '/w' })),
    event('turn_context', { model: 'gpt-5.4' }),
    ...Array.from({ length: requests }, (_, i) => i + 1).flatMap((i) => [
      event('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `${i}` }] }),
      event('event_msg', {
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: 10, output_tokens: 5 },
          total_token_usage: { input_tokens: 10 * i, output_tokens: 5 * i },
        },
      }),
    ]),
  ];
};

it.each(FIXTURES)('%s: no line is wider than a terminal', async (name) => {
  const { code, out } = await hear(['cost', fixturePath(name)]);
  expect([0, 1]).toContain(code);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
