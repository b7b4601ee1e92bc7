import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  dropOldestRounds,
  type JournalRecord,
  type Session,
  type SessionEvent,
  type SessionOptions,
  summarizeHistory,
  type Usage,
  user,
} from '../../src/index.ts';
import { good, scripted } from '../summarizers.ts';
import { long } from '../texts.ts';

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const layers = [summarizeHistory(), dropOldestRounds()];

function open(options: Partial<SessionOptions> = {}) {
  const records: JournalRecord[] = [];
  const events: SessionEvent[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const session = createSession({ window: 8_000, layers, journal, on: (event) => events.push(event), ...options });
  return { session, records, events };
}

function talk(session: Session, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${long('this and that', 20)}`));
    session.append(assistant(`Done ${i} ${long('so and so', 20)}`));
  }
}

const report: Usage = { input: 100, cacheRead: 1_000, cacheWrite: 200, output: 50 };
const COST = (100 * 3 + 1_000 * 0.3 + 200 * 3.75 + 50 * 15) / 1e6;

describe('totals of a session', () => {
  it('add up what was reported, in tokens and in money', async () => {
    const { session } = open({ prices });
    session.append(user('Hello'));
    await session.view();
    session.observe(report);
    session.observe(report);
    expect(session.totals().conversation).toEqual({
      calls: 2,
      input: 200,
      cacheRead: 2_000,
      cacheWrite: 400,
      output: 100,
      cost: expect.closeTo(2 * COST, 12),
      unpriced: 0,
    });
    expect(session.totals().cost).toBeCloseTo(2 * COST, 12);
  });

  it('name the calls of which nobody knows the price, and never guess it', () => {
    const { session } = open();
    session.observe(report);
    expect(session.totals()).toMatchObject({ cost: 0, unpriced: 1, conversation: { calls: 1, input: 100 } });
  });

  it('count each model at its own prices', async () => {
    const { session } = open({ prices });
    session.append(user('Hello'));
    session.observe(report);
    await session.switchTo({ window: 8_000, prices: { input: 6, output: 30, cacheRead: 0.6, cacheWrite: 7.5 } });
    session.observe(report);
    expect(session.totals().cost).toBeCloseTo(3 * COST, 12);
  });

  it('go on where they stood when the session is opened again, whatever prices are stated then', async () => {
    const { session, records } = open({ prices, ports: { summarizer: good() } });
    talk(session, 60);
    await session.view();
    session.observe(report);
    await session.settled();
    await session.saved();
    const loaded = createSession({ window: 8_000, layers, records, prices: { ...prices, input: 300 } });
    expect(loaded.totals()).toEqual(session.totals());
    expect(session.totals().summaries.calls).toBeGreaterThan(0);
  });

  it('keep summaries apart: asked for, drafted, failed; each that was paid for counts once', async () => {
    const chat = scripted((_, call) => ({ text: 'Sure!', stop: 'end', usage: { input: 10 * call, output: 1 } }));
    for (const [summarizer, drafts] of [
      [good(), false],
      [good(), true],
      [chat, false],
    ] as const) {
      const { session, events } = open({ prices, drafts, ports: { summarizer } });
      for (let round = 0; round < 4; round++) {
        talk(session, 16);
        await session.view();
        await session.settled();
      }
      await session.compact();
      const paid = events.flatMap((event) => (event.type === 'summary-paid' ? [event] : []));
      expect(paid.length).toBeGreaterThan(0);
      const { summaries, conversation } = session.totals();
      expect(summaries.calls).toBe(paid.reduce((sum, { calls }) => sum + calls, 0));
      expect(summaries.input).toBe(paid.reduce((sum, { usage }) => sum + (usage.input ?? 0), 0));
      expect(summaries.cost).toBeCloseTo(
        paid.reduce((sum, { cost = 0 }) => sum + cost, 0),
        12,
      );
      expect(conversation.calls).toBe(0);
    }
  });

  it('stay what they are when a compaction is taken back: it was paid for all the same', async () => {
    const { session } = open({ prices, drafts: false, ports: { summarizer: good() } });
    talk(session, 60);
    await session.view();
    const before = session.totals();
    session.undo();
    expect(session.totals()).toEqual(before);
  });

  it('believe no figure below 0, and no sum over calls that were told one by one', async () => {
    const { session } = open({ prices });
    session.append(user('Hello'));
    await session.view();
    session.observe({ input: -5, output: 10 });
    expect(session.totals().conversation).toMatchObject({ input: 0, output: 10, cost: 150 / 1e6 });
    session.observe({ input: 50_000, output: 10 });
    expect(session.totals().conversation.calls).toBe(1);
  });

  it('count what a provider took for its own compaction among the summaries', () => {
    const { session } = open({ prices });
    session.observe({ ...report, compaction: { input: 1_000, output: 100 } });
    expect(session.totals().summaries).toMatchObject({ calls: 1, input: 1_000, output: 100, cost: 4_500 / 1e6 });
  });
});
