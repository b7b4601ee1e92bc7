import { exactBudget, refusal } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  clearIdleResults,
  clearOldResults,
  createSession,
  dropOldestRounds,
  emptyLedger,
  estimateText,
  type Message,
  type NewMessage,
  plan,
  presets,
  result,
  results,
  type SessionEvent,
  text,
  user,
} from '../src/index.ts';
import { long } from './texts.ts';

/** A text of about so many tokens. */
const ofTokens = (tokens: number): string => {
  const piece = estimateText(long('rule', 1_000));
  return long('rule', Math.round((tokens / piece) * 1_000));
};
const layers = presets.default();
const textOf = (messages: readonly Message[]): string => JSON.stringify(messages);
const picture = (n: number, size = 20_000) => ({
  type: 'media' as const,
  kind: 'image' as const,
  mediaType: 'image/png',
  data: 'A'.repeat(size),
  name: `shot-${n}.png`,
  width: 1_000,
  height: 900,
});

describe('progress, sizes, accounting', () => {
  it.each([
    // What cannot be cut takes nearly all of the room up to the trigger; what is sent besides takes all of it.
    ['ineffective', { block: 8_200, besides: 0 }],
    ['overhead', { block: 60, besides: 9_600 }],
  ])(
    'A1 compactions that free too little are counted, and two in a row stop automatic ones with a reason (%s)',
    async (reason, { block, besides }) => {
      const events: SessionEvent[] = [];
      const session = createSession({
        window: 10_000,
        maxOutput: 500,
        system: ofTokens(besides),
        on: (event) => events.push(event),
      });
      session.pin(session.append(user([{ type: 'native', wire: 'w', block: { note: ofTokens(block) } }])));
      for (let i = 0; i < 40; i++) {
        session.append(assistant(long(`reply ${i}`, 60)));
        session.append(user('go on'));
        expect(refusal((await session.view()).messages, [user('x')])).toBeUndefined();
      }
      expect(events.filter((event) => event.type === 'automatic-stopped')).toHaveLength(1);
      expect(session.status().paused).toBe(reason);
      const compactions = events.filter((event) => event.type === 'view-compacted').length;
      // Half of the views at most: once it is paused, only the blocking limit acts.
      expect(compactions).toBeLessThanOrEqual(20);
    },
  );

  it('A2 the target is below the trigger whatever was asked for, and a walk under pressure strictly decreases', async () => {
    for (const keep of [{ fraction: 1 }, { tokens: 1e9 }, { messages: 1e9 }] as const) {
      const made = budget({ window: 50_000, trigger: { tokens: 1_000 }, keep });
      expect(made.target).toBeLessThan(made.trigger);
    }
    const session = createSession({ window: 4_000, maxOutput: 100, keep: { fraction: 1 } });
    session.append(user('go'));
    for (let i = 0; i < 60; i++) {
      session.append(assistant([call(`c${i}`, 'bash', { command: 'x' })]));
      session.append(results([result(`c${i}`, long('row', 80))]));
      const { receipt } = await session.view();
      if (receipt?.declared) expect(receipt.tokensAfter).toBeLessThan(receipt.tokensBefore);
    }
  });

  it('A3 zero, missing, absurd and cumulative usage falls back to the estimate; usage from before a compaction is void', async () => {
    const events: SessionEvent[] = [];
    const session = createSession({ window: 50_000, system: 'be brief', on: (event) => events.push(event) });
    session.append(user(long('word', 3_000)));
    const { tokens } = await session.view();
    for (const [usage, fault] of [
      [{}, 'missing'],
      [null as never, 'missing'],
      [{ input: 0 }, 'zero'],
      [{ input: Number.NaN }, 'absurd'],
      [{ input: -5 }, 'absurd'],
      [{ input: 3 }, 'absurd'],
      [{ input: tokens * 12 }, 'cumulative'],
      [{ input: 10_000_000 }, 'cumulative'],
    ] as const) {
      session.observe(usage);
      expect(events.at(-1)).toMatchObject({ type: 'usage-ignored', fault });
      expect(session.status()).toMatchObject({ tokens, measured: false });
    }
    session.observe({ input: Math.round(tokens * 0.5), cacheRead: Math.round(tokens * 0.7) });
    expect(session.status().measured).toBe(true);
    expect(session.status().tokens).toBeCloseTo(tokens * 1.2, -1);
    session.append(assistant(long('answer', 900)));
    session.append(user('go on'));
    expect(await session.compact()).toBeDefined();
    expect(session.status().measured).toBe(false);
  });

  it('A3 what layers free after a report is subtracted from it, and what comes is added', async () => {
    const session = createSession({
      window: 200_000,
      system: 'be brief',
      layers: [clearOldResults({ mode: 'count', keep: 1, overChars: 120 })],
    });
    session.append(user('go'));
    session.append(assistant([call('a', 'bash')]));
    session.append(results([result('a', long('first', 4_000))]));
    const sent = await session.view();
    session.observe({ input: sent.tokens });
    const before = session.status().tokens;
    session.append(assistant([call('b', 'bash')]));
    session.append(results([result('b', 'short')]));
    expect(session.status().tokens).toBeGreaterThan(before);
    const { tokens } = await session.view();
    expect(session.status().measured).toBe(true);
    expect(tokens).toBeLessThan(before / 4);
  });

  it('A4 system prompt and tool definitions count', async () => {
    const bare = createSession({ window: 50_000 });
    const dressed = createSession({
      window: 50_000,
      system: long('rule', 2_000),
      tools: [{ name: 'x', description: long('does', 2_000) }],
    });
    for (const session of [bare, dressed]) session.append(user('hello'));
    expect(dressed.status().tokens - bare.status().tokens).toBeGreaterThan(3_000);
    for (let i = 0; i < 200; i++) {
      dressed.append(assistant(long('a', 100)));
      dressed.append(user(long('b', 100)));
    }
    const view = await dressed.view();
    expect(view.tokens).toBeLessThanOrEqual(dressed.status().budget.trigger);
  });

  it('A4 a system prompt that nobody stated is learned from reported usage, and outlives a compaction', async () => {
    const session = createSession({ window: 100_000 });
    for (let i = 0; i < 10; i++) {
      session.append(user(long('word', 400)));
      const { tokens } = await session.view();
      if (i === 0) session.observe({ input: tokens + 20_000 });
      session.append(assistant(long('reply', 400)));
    }
    const before = session.status().tokens;
    await session.compact();
    expect(session.status().tokens).toBeGreaterThan(15_000);
    expect(session.status().tokens).toBeLessThan(before);
  });

  it('A8 a single message larger than the window keeps head, tail and a pointer, also the newest one', async () => {
    for (const oversized of [
      [user(`HEAD ${long('filler', 20_000)} TAIL`)],
      [
        user('go'),
        assistant([call('c', 'mcp__db__dump')]),
        results([result('c', `HEAD ${long('filler', 20_000)} TAIL`)]),
      ],
    ]) {
      const session = createSession({ window: 4_000, maxOutput: 100, layers: [dropOldestRounds()] });
      for (const message of oversized) session.append(message);
      const { messages, fits } = await session.view();
      const seen = textOf(messages);
      expect(fits).toBe(true);
      expect(seen).toContain('HEAD');
      expect(seen).toContain('TAIL');
      const [, ref] = /recall="?\s?(e\d+)|(e\d+)/.exec(seen.slice(seen.indexOf('recall')))!.filter(Boolean) as string[];
      expect(session.recall.read(ref!).text).toContain(long('filler', 20_000));
    }
  });

  it('A8 a call with oversized arguments keeps its id and its shape', () => {
    const history = [
      user('write it'),
      assistant([call('w', 'write', { path: 'a.txt', content: long('row', 20_000) })]),
      results([result('w', 'ok')]),
    ];
    const { view, fits } = plan(history, emptyLedger, { budget: exactBudget(400), layers });
    expect(fits).toBe(true);
    expect(refusal(view, history)).toBeUndefined();
    const kept = view.flatMap((message) => message.parts).find((part) => part.type === 'call');
    expect(kept).toMatchObject({ callId: 'w', tool: 'write', input: { path: 'a.txt' } });
  });

  it('A9 a placeholder no shorter than what it replaces is not applied', () => {
    const history = [
      user('go'),
      ...Array.from({ length: 9 }, (_, i) => [
        assistant([call(`c${i}`, 'bash')]),
        results([result(`c${i}`, 'ok')]),
      ]).flat(),
    ];
    const count = clearOldResults({ mode: 'count', keep: 1, overChars: 0 });
    const idle = clearIdleResults({ idleMs: 1, keep: 1 });
    const { view } = plan(history, emptyLedger, { budget: exactBudget(1e6), layers: [count, idle], now: 9e15 });
    expect(textOf(view)).not.toContain('cleared');
  });

  it('A10 requests over the limits for bytes, images or messages are brought under them; the newest images of the user stay', () => {
    const history: NewMessage[] = [];
    for (let i = 0; i < 30; i++) history.push(user([text(`look ${i}`), picture(i)]), assistant(`seen ${i}`));
    history.push(user([text('this one'), picture(99)]));
    const roomy = exactBudget(1e6);
    for (const limits of [{ images: 8 }, { bytes: 200_000 }]) {
      const { view, fits } = plan(history, emptyLedger, { budget: { ...roomy, limits }, layers });
      const left = view.flatMap((message) => message.parts).filter((part) => part.type === 'media');
      expect(fits).toBe(true);
      expect(left.length).toBeLessThan(10);
      expect(left.at(-1)).toMatchObject({ name: 'shot-99.png' });
      expect(textOf(view)).toContain('[image: shot-0.png]');
    }
    const few = plan(history, emptyLedger, {
      budget: { ...roomy, limits: { messages: 20 }, triggerMessages: 20, targetMessages: 15 },
      layers,
    });
    expect(few.view.length).toBeLessThanOrEqual(20);
    expect(few.fits).toBe(true);
    const narrow = plan(history, emptyLedger, { budget: { ...roomy, limits: { imageSide: 800 } }, layers });
    expect(textOf(narrow.view)).not.toContain('"media"');
  });

  it('A11 pins larger than the budget converge, are cut with a pointer, and the receipt says so', async () => {
    const session = createSession({ window: 3_000, maxOutput: 100 });
    const pins = [1, 2, 3].map((n) => session.append(user(`pinned ${n} ${long('must', 3_000)}`)));
    for (const id of pins) session.pin(id);
    for (let i = 0; i < 5; i++) session.append(assistant(long('talk', 100)));
    session.append(user('and now?'));
    const { messages, fits, receipt } = await session.view();
    expect(fits).toBe(true);
    expect(receipt!.pinsBounded).toEqual(pins);
    for (const n of [1, 2, 3]) expect(textOf(messages)).toContain(`pinned ${n}`);
  });

  it('A12 the window keeps room for the answer, 20,000 tokens and a quarter of it at most; each view says what may be asked for', async () => {
    for (const [window, maxOutput, effective] of [
      [200_000, 1_000, 199_000],
      [200_000, 150_000, 180_000],
      [60_000, 32_000, 45_000],
      [16_000, 16_000, 12_000],
    ] as const) {
      expect(budget({ window, maxOutput })).toMatchObject({ window, effective });
      const session = createSession({ window, maxOutput });
      for (let i = 0; i < 6; i++) session.append(i % 2 === 0 ? user(ofTokens(window / 8)) : assistant(long('ok', 9)));
      const view = await session.view();
      expect(view.maxOutput).toBe(Math.min(maxOutput, window - view.tokens));
      expect(view.tokens).toBeLessThan(effective);
    }
  });

  it('A12 an unknown window is an error that says how to state it', () => {
    expect(() => createSession(undefined as never)).toThrow(expect.objectContaining({ code: 'window-unknown' }));
    for (const window of [undefined, 0, -1, Number.NaN])
      expect(() => createSession({ window: window as never })).toThrow(
        expect.objectContaining({ code: 'window-unknown', message: expect.stringContaining('{ window: tokens }') }),
      );
    expect(() => createSession({ window: '200k' as never })).toThrow(
      expect.objectContaining({ code: 'bad-option', message: expect.stringContaining('"window"') }),
    );
  });

  it("A12 the window is learned from the provider's own overflow message", async () => {
    const events: SessionEvent[] = [];
    const session = createSession({ window: 200_000, on: (event) => events.push(event) });
    session.append(user('go'));
    for (let i = 0; i < 100; i++) session.append(i % 2 === 0 ? assistant(long('a', 200)) : user(long('b', 200)));
    await session.view();
    const smaller = await session.overflowed({ maximum: 8_192, actual: 30_000 });
    expect(events).toContainEqual({ type: 'window-learned', window: 8_192 });
    expect(smaller.tokens).toBeLessThan(8_192);
    expect(session.status().budget.window).toBe(8_192);
  });

  it('A13 with nothing to hide nothing is written', async () => {
    const session = createSession({ window: 100_000 });
    session.append(user('hi'));
    await session.view();
    const before = session.ledger().entries.length;
    expect(await session.compact()).toBeUndefined();
    expect(session.ledger().entries).toHaveLength(before);
  });

  it('A3 what the provider cleared itself is part of what was sent, and not of what it counts', async () => {
    const session = createSession({ window: 50_000, system: 'be brief' });
    session.append(user(long('word', 20_000)));
    const { tokens } = await session.view();
    session.observe({ input: Math.round(tokens * 0.2), cleared: Math.round(tokens * 0.8) });
    expect(session.status()).toMatchObject({ tokens: Math.round(tokens * 0.2), measured: true });
    session.append(assistant('ok'));
    session.append(user(long('word', 1_000)));
    const grown = (await session.view()).tokens;
    expect(grown).toBeLessThan(tokens * 0.4);
    // The next report clears as much again: it is no other context, and teaches no other ratio.
    session.observe({ input: grown, cleared: Math.round(tokens * 0.8) });
    expect(session.status()).toMatchObject({ tokens: grown, measured: true });
  });

  it('A3 tools that change count from the next view on', async () => {
    const session = createSession({ window: 50_000, system: 'be brief', tools: [] });
    session.append(user('go'));
    const { tokens } = await session.view();
    const tools = [{ name: 'x', description: long('word', 5_000) }];
    expect((await session.view({ system: 'be brief', tools })).tokens).toBeGreaterThan(tokens + 4_000);
    expect((await session.view()).tokens).toBeGreaterThan(tokens + 4_000);
    expect((await session.view({ tools: [] })).tokens).toBe(tokens);
    // What is not said again stays as it was.
    expect((await session.view({ tools })).tokens).toBe((await session.view({ system: 'be brief', tools })).tokens);
  });

  it('A14 overflow shrinks geometrically, a bounded number of times, then says so', async () => {
    for (const tries of [1, 2, 3, 50]) {
      const session = createSession({ window: 100_000, overflowTries: tries });
      for (let i = 0; i < 400; i++) session.append(i % 2 === 0 ? user(long('a', 100)) : assistant(long('b', 100)));
      let { tokens } = await session.view();
      let retries = 0;
      for (;;) {
        const smaller = await session.overflowed().catch((error: { code: string }) => error);
        if ('code' in smaller) {
          expect(smaller.code).toBe('cannot-reduce');
          break;
        }
        retries++;
        expect(smaller.tokens).toBeLessThanOrEqual(tokens * 0.5);
        tokens = smaller.tokens;
      }
      expect(retries).toBe(Math.min(3, tries));
    }
  });

  it('A15 a smaller window compacts before the request, a larger one takes back what it need not hide', async () => {
    const session = createSession({ window: 60_000 });
    for (let i = 0; i < 200; i++) session.append(i % 2 === 0 ? user(long('a', 60)) : assistant(long('b', 60)));
    const whole = await session.view();
    const small = await session.switchTo({ window: 8_000 });
    expect(small.tokens).toBeLessThanOrEqual(session.status().budget.trigger);
    const large = await session.switchTo({ window: 60_000 });
    expect(large.messages).toEqual(whole.messages);
  });
});
