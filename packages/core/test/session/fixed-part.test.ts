import { driveFixedPart, isDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  emptyLedger,
  plan,
  presets,
  result,
  results,
  type SessionEvent,
  user,
} from '../../src/index.ts';

const windows = isDeep ? [16_000, 60_000, 200_000] : [16_000];
const shares = Array.from({ length: 20 }, (_, i) => i / 20).filter((_, i) => isDeep || i % 4 === 0 || i > 16);

describe('whatever system prompt and tools weigh', () => {
  it.each(windows.flatMap((window) => [undefined, window / 2, window].map((maxOutput) => ({ window, maxOutput }))))(
    'the newest request and all rules stay verbatim, or the status says that there is no room ($window, $maxOutput)',
    async ({ window, maxOutput }) => {
      for (const share of shares) {
        const outcome = await driveFixedPart({ window, share, ...(maxOutput === undefined ? {} : { maxOutput }) }, 30);
        expect({ share, ...outcome }).toMatchObject({ lost: 0, unfit: 0 });
        expect(outcome.typed === 0 || outcome.typed === outcome.views).toBe(true);
      }
    },
    120_000,
  );

  it.each(Object.keys(presets) as (keyof typeof presets)[])('also with the preset %s', async (name) => {
    for (const share of [0, 0.4, 0.6]) {
      const outcome = await driveFixedPart({ window: 16_000, share }, 30, { layers: presets[name]() });
      expect({ share, ...outcome }).toMatchObject({ lost: 0, unfit: 0, typed: 0 });
    }
  });

  it('what a compaction freed is judged by what can be compacted, and the journal says what could not', async () => {
    const session = createSession({ window: 16_000, system: 'tool text '.repeat(3_500) });
    for (let i = 0; i < 60; i++) {
      session.append(user(`Question ${i}: ${'what of this? '.repeat(20)}`));
      session.append(assistant(`Answer ${i}: ${'this and that. '.repeat(40)}`));
      await session.view();
    }
    const pressed = session
      .ledger()
      .entries.flatMap((entry) => (entry.type === 'edits' && entry.pressed ? [entry] : []));
    expect(pressed.length).toBeGreaterThan(0);
    for (const { overhead } of pressed) expect(overhead).toBe(Math.round(session.status().budget.overhead!));
    // The head of the conversation can be compacted as little as what is sent besides.
    expect(session.status().budget.overhead! - session.status().overhead.tokens).toBe(session.status().budget.head);
  });

  it('a fixed part that reaches the trigger is a status and an event that name its parts, and nothing is hidden in vain', async () => {
    const events: SessionEvent[] = [];
    const tools = [{ name: 'x', description: 'does this and that '.repeat(1_000) }];
    const session = createSession({
      window: 10_000,
      system: 'tool text '.repeat(3_000),
      tools,
      on: (event) => events.push(event),
    });
    session.append(user('Never push to main.'));
    for (let i = 0; i < 10; i++) {
      session.append(assistant(`Answer ${i}.`));
      session.append(user(`Question ${i}?`));
      const { fits, receipt, messages } = await session.view();
      expect({ fits, receipt }).toEqual({ fits: false });
      expect(messages).toHaveLength(3 + 2 * i);
    }
    const { overhead, paused, budget: known } = session.status();
    expect(paused).toBe('overhead');
    expect(overhead.system).toBeGreaterThan(5_000);
    expect(overhead.tools).toBeGreaterThan(3_000);
    expect(overhead).toMatchObject({ hidden: 0, tokens: overhead.system + overhead.tools });
    expect(overhead.tokens).toBeGreaterThanOrEqual(known.trigger);
    const stopped = events.filter((event) => event.type === 'automatic-stopped');
    expect(stopped).toEqual([{ type: 'automatic-stopped', reason: 'overhead', overhead }]);
    const made = plan(session.transcript(), emptyLedger, {
      budget: known,
      system: 'tool text '.repeat(3_000),
      tools,
    });
    expect(made.fits).toBe(false);
    expect(made.view).toEqual((await session.view()).messages);
    // With fewer tools there is room again.
    expect((await session.view({ tools: [], system: 'short' })).fits).toBe(true);
    expect(session.status()).not.toHaveProperty('paused');
  });

  it.each(Object.keys(presets) as (keyof typeof presets)[])(
    'where it leaves no room at all, too many messages are still compacted: no view fails (%s)',
    async (name) => {
      const system = 'tool text '.repeat(8_000);
      const session = createSession({
        window: 16_000,
        system,
        tools: [],
        trigger: { messages: 10 },
        layers: presets[name](),
      });
      for (let i = 0; i < 12; i++) {
        session.append(user(`Question ${i}: ${'what of this? '.repeat(20)}`));
        session.append(assistant(`Answer ${i}: ${'this and that. '.repeat(40)}`));
        await session.view();
      }
      expect(session.status().paused).toBe('overhead');
    },
  );

  it('the target is a share of what can be compacted; tokens stay as stated as long as they can be reached', () => {
    const target = (system: string, more: object = {}): number =>
      createSession({ window: 60_000, maxOutput: 8_000, system, ...more }).status().budget.target;
    const { trigger } = budget({ window: 60_000, maxOutput: 8_000 });
    expect(target('')).toBe(Math.floor(52_000 * 0.2));
    const fixed = createSession({ window: 60_000, system: 'tool text '.repeat(14_500) }).status().overhead.tokens;
    const moved = fixed + Math.floor(52_000 * 0.2 * (1 - fixed / trigger));
    expect(target('tool text '.repeat(14_500))).toBe(moved);
    expect(target('short', { keep: { tokens: 20_000 } })).toBe(20_000);
    const stated = target('tool text '.repeat(14_500), { keep: { tokens: 20_000 } });
    expect(stated).toBe(fixed + Math.floor(10_000 * (1 - fixed / trigger)));
    expect(target('tool text '.repeat(14_500), { keep: { tokens: 40_000 } })).toBe(40_000);
  });

  it('an answer of 32,000 tokens in a window of 60,000 makes no compaction at every step', async () => {
    const session = createSession({ window: 60_000, maxOutput: 32_000, system: 'tool text '.repeat(14_000) });
    session.append(user('Read every file.'));
    let compactions = 0;
    for (let i = 0; i < 40; i++) {
      session.append(assistant([call(`k${i}`, 'Read', { file_path: `src/a${i}.kt` })]));
      session.append(results([result(`k${i}`, `val x${i} = ${i * 7919}\n`.repeat(80))]));
      if ((await session.view()).receipt?.declared === true) compactions++;
    }
    expect(compactions).toBeLessThan(10);
  });
});
