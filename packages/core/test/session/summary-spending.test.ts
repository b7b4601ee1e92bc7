import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  dropOldestRounds,
  type Receipt,
  type Session,
  type SessionEvent,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good, scripted, summaryText } from '../summarizers.ts';
import { long } from '../texts.ts';

const layers = [summarizeHistory(), dropOldestRounds()];
const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
/** Of 1,000 tokens in and 100 out. */
const COST = (1_000 * 3 + 100 * 15) / 1e6;
const usage = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };

function talk(session: Session, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${long('this and that', 20)}`));
    session.append(assistant(`Done ${i} ${long('so and so', 20)}`));
  }
}

function start(options: Partial<SessionOptions>) {
  const events: SessionEvent[] = [];
  const session = createSession({
    window: 8_000,
    layers,
    drafts: false,
    on: (event) => events.push(event),
    ...options,
  });
  const paid = () => events.flatMap((event) => (event.type === 'summary-paid' ? [event] : []));
  return { session, events, paid };
}

const marks = (session: Session) =>
  session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
    .flatMap((edit) => (edit.type === 'fold' && edit.summary !== undefined ? [edit.summary] : []));

describe('what a summary costs', () => {
  it('is in the ledger, in an event and in the receipt: tokens and, where prices are known, money', async () => {
    const { session, paid } = start({ ports: { summarizer: good() }, prices });
    talk(session, 60);
    const { receipt } = await session.view();
    const spent = { calls: 1, usage, cost: COST };
    expect(receipt!.summary).toMatchObject({ by: 'model', ...spent });
    expect(marks(session)).toMatchObject([{ by: 'model', ...spent }]);
    expect(paid()).toEqual([{ type: 'summary-paid', how: 'asked', outcome: 'written', ...spent }]);
    expect(session.receipts()[0]!.summary).toEqual(receipt!.summary);
  });

  it('is told without money where nobody said what tokens cost; a summarizer’s own prices come first', async () => {
    const free = start({ ports: { summarizer: good() } });
    talk(free.session, 60);
    await free.session.view();
    expect(free.paid()[0]).not.toHaveProperty('cost');
    const own = start({ ports: { summarizer: good({ prices: { ...prices, input: 6, output: 30 } }) }, prices });
    talk(own.session, 60);
    await own.session.view();
    expect(own.paid()[0]!.cost).toBeCloseTo(2 * COST, 12);
  });

  it('counts rejected answers too, and is told of one that failed for good', async () => {
    const again = scripted((_, call) => ({
      text: call === 1 ? 'Sure!' : summaryText({}),
      stop: 'end',
      usage: { input: 10, output: 1 },
    }));
    const mended = start({ ports: { summarizer: again }, prices });
    talk(mended.session, 60);
    await mended.session.view();
    expect(mended.paid()).toMatchObject([{ outcome: 'written', calls: 2, usage: { input: 20, output: 2 } }]);

    const chat = scripted(() => ({ text: 'Sure!', stop: 'end', usage: { input: 10, output: 1 } }));
    const lost = start({ ports: { summarizer: chat }, prices });
    talk(lost.session, 60);
    const { receipt } = await lost.session.view();
    expect(lost.paid()).toMatchObject([{ how: 'asked', outcome: 'failed', calls: 2, usage: { input: 20, output: 2 } }]);
    expect(receipt!.summary).toMatchObject({
      by: 'digest',
      calls: 2,
      usage: { input: 20, output: 2 },
      failure: { code: 'chat-continuation', why: 'it has 0 of 9 sections' },
    });
  });

  it('is told of a draft when it is written, and stands in the receipt of the compaction that uses it', async () => {
    const { session, paid } = start({ ports: { summarizer: good() }, prices, drafts: true });
    let receipt: Receipt | undefined;
    for (let i = 0; i < 200 && receipt?.summary === undefined; i++) {
      talk(session, 1);
      ({ receipt } = await session.view());
      await session.settled();
    }
    const spent = { calls: 1, usage, cost: COST };
    expect(receipt!.summary).toMatchObject({ by: 'draft', ...spent });
    expect(paid()[0]).toEqual({ type: 'summary-paid', how: 'draft', outcome: 'written', ...spent });
    const drafts = session.ledger().entries.flatMap((entry) => (entry.type === 'draft' ? [entry.draft.fact] : []));
    expect(drafts[0]).toMatchObject(spent);
  });

  it('is told of a draft that failed', async () => {
    const chat = scripted(() => ({ text: 'Sure!', stop: 'end', usage: { input: 10, output: 1 } }));
    const { session, paid } = start({ ports: { summarizer: chat }, drafts: true });
    for (let i = 0; i < 200 && paid().length === 0; i++) {
      talk(session, 1);
      await session.view();
      await session.settled();
    }
    expect(paid()[0]).toMatchObject({ how: 'draft', outcome: 'failed', calls: 2, usage: { input: 20, output: 2 } });
  });
});

describe('a compaction that was asked for', () => {
  it('whose summarizer fails says so in its receipt, typed, while the digest takes over', async () => {
    const broken = scripted(() => {
      throw Object.assign(new Error('no such model'), { code: 'not-found' });
    });
    const { session, events } = start({ window: 100_000, ports: { summarizer: broken } });
    talk(session, 60);
    const receipt = await session.compact();
    expect(receipt!.summary).toMatchObject({ by: 'digest', failure: { code: 'failed', why: 'no such model' } });
    expect(receipt!.tokensAfter).toBeLessThan(receipt!.tokensBefore);
    expect(events).toContainEqual(expect.objectContaining({ type: 'need-failed', need: 'summary', code: 'failed' }));
  });

  it('of a session without a message is refused with a typed reason', async () => {
    const { session, events } = start({});
    await expect(session.compact()).rejects.toMatchObject({ code: 'nothing-to-compact' });
    expect(events).toEqual([]);
    session.append(user('hello'));
    await expect(session.compact()).resolves.toBeUndefined();
  });

  it('follows another: the receipt, and the event with it, say which, and how long ago', async () => {
    const { session, events } = start({ window: 100_000 });
    talk(session, 60);
    const first = await session.compact();
    expect(first!.summary!.recompaction).toEqual({ inChain: false, threshold: session.status().budget.ceiling });
    talk(session, 30);
    const second = await session.compact();
    expect(second!.summary!.recompaction).toMatchObject({
      inChain: false,
      turnsSince: 30,
      previous: expect.stringMatching(/^e\d+$/),
    });
    const told = events.flatMap((event) => (event.type === 'view-compacted' ? [event.receipt.summary] : []));
    expect(told).toEqual([first!.summary, second!.summary]);
  });
});

it('a view tells what its size was held against, and what each layer freed', async () => {
  const { session, events } = start({});
  talk(session, 60);
  await session.view();
  const { trigger, effective } = session.status().budget;
  const [made] = events.flatMap((event) => (event.type === 'view-made' ? [event] : []));
  expect(made).toMatchObject({ tokens: session.status().tokens, trigger, effective });
  const summarized = made!.visits.find(({ layer }) => layer === 'summarize-history')!;
  expect(summarized.tokensBefore - summarized.tokensAfter).toBeGreaterThan(3_000);
});
