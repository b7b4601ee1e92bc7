import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  type JournalRecord,
  presets,
  type Session,
  type SessionOptions,
  user,
  type View,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';

const say = (session: Session, turns: number): void => {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${'this and that '.repeat(20)}`));
    session.append(assistant(`Done ${i} ${'so and so '.repeat(20)}`));
  }
};
const bytes = ({ messages }: View): string => JSON.stringify(messages);

function open(options: SessionOptions) {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const summarizer = good();
  const session = createSession({ drafts: false, layers: askingLayers(), ports: { summarizer }, ...options, journal });
  const reverts = () => records.filter((record) => record.type === 'entry' && record.entry.type === 'revert');
  return { session, records, reverts, calls: () => summarizer.requests.length };
}

describe('switching models', () => {
  it('changes nothing where the next model holds the view as it stands, and asks nobody for a summary', async () => {
    const { session, reverts, calls } = open({ window: 10_000 });
    say(session, 100);
    const before = await session.view();
    expect(before.receipt).toBeDefined();
    const asked = calls();
    for (const window of [10_000, 9_500, 9_000, 9_000, 9_500, 10_000]) {
      const view = await session.switchTo({ window });
      expect(view.receipt).toBeUndefined();
      expect(bytes(view)).toBe(bytes(before));
    }
    expect(calls()).toBe(asked);
    expect(reverts()).toEqual([]);
  });

  it('looks before it takes back: what would not have room in the larger window stays hidden', async () => {
    const { session, reverts } = open({ window: 10_000 });
    say(session, 100);
    const before = await session.view();
    const whole = session.transcript().length;
    expect(bytes(await session.switchTo({ window: 14_000 }))).toBe(bytes(before));
    expect(reverts()).toEqual([]);
    const large = await session.switchTo({ window: 100_000 });
    expect(large.messages).toHaveLength(whole);
    expect(reverts()).toHaveLength(1);
  });

  it('does not take back what the larger model would have to compact again soon', async () => {
    const { session, calls } = open({ window: 10_000 });
    say(session, 60);
    expect((await session.view()).receipt).toBeUndefined();
    expect(session.status().tokens).toBeGreaterThan(session.status().budget.trigger * 0.9);
    const small = await session.switchTo({ window: 9_500 });
    expect(small.receipt?.trigger).toBe('switch');
    const asked = calls();
    for (const window of [10_000, 9_500, 10_000]) expect(bytes(await session.switchTo({ window }))).toBe(bytes(small));
    expect(calls()).toBe(asked);
  });

  it('takes back as many walks as have room, newest first', async () => {
    const { session } = open({ window: 4_000 });
    say(session, 50);
    await session.view();
    say(session, 50);
    await session.view();
    say(session, 50);
    await session.view();
    const before = session.receipts().length;
    const some = await session.switchTo({ window: 24_000 });
    expect(session.receipts().length).toBeGreaterThan(0);
    expect(session.receipts().length).toBeLessThan(before);
    expect(some.tokens).toBeLessThan(session.status().budget.trigger);
  });

  it('does not pay for every turn of an agent that alternates between two models', async () => {
    const { session, calls } = open({ window: 40_000 });
    say(session, 100);
    await session.view();
    expect(calls()).toBe(0);
    const seen: string[] = [];
    for (let i = 0; i < 10; i++) seen.push(bytes(await session.switchTo({ window: i % 2 === 0 ? 8_000 : 40_000 })));
    // Hidden for the small one, back for the large one, hidden again: and there it stays.
    expect(new Set(seen.slice(2)).size).toBe(1);
    expect(calls()).toBeLessThanOrEqual(2);
  });

  it('goes on compacting at the trigger, also after a restart', async () => {
    const { session, records } = open({ window: 2_000, ports: {} });
    say(session, 20);
    await session.view();
    await session.switchTo({ window: 20_000 });
    await session.saved();
    const again = createSession({ window: 20_000, records });
    expect(again.status()).toEqual(session.status());
    expect(session.status().paused).toBeUndefined();
    for (const one of [session, again]) say(one, 150);
    const [view, resumed] = [await session.view(), await again.view()];
    expect(view.receipt).toBeDefined();
    expect(bytes(resumed)).toBe(bytes(view));
  });

  it('leaves an undo alone as long as the next model holds what it brought back', async () => {
    const { session } = open({ window: 10_000 });
    say(session, 50);
    const before = bytes(await session.view());
    await session.compact();
    session.undo();
    expect(bytes(await session.switchTo({ window: 10_000 }))).toBe(before);
    expect(bytes(await session.switchTo({ window: 12_000 }))).toBe(before);
    expect(session.status().paused).toBe('undone');
    expect((await session.switchTo({ window: 4_000 })).receipt).toBeDefined();
    expect(session.status().paused).toBeUndefined();
  });
});

describe('switching layers', () => {
  it('keeps what stands: receipts are as they were, and undo gives the very view before', async () => {
    const { session, reverts } = open({ window: 100_000, layers: presets.s08() });
    say(session, 40);
    const before = await session.view();
    const receipts = session.receipts();
    expect(receipts).toHaveLength(1);
    const view = await session.switchTo({ window: 100_000, layers: presets['open-code']() });
    expect(bytes(view)).toBe(bytes(before));
    expect(session.receipts()).toEqual(receipts);
    expect(reverts()).toEqual([]);
    session.undo();
    expect(JSON.stringify((await session.view()).messages)).toBe(JSON.stringify(session.transcript()));
  });

  it('leads what comes through the new ones', async () => {
    const { session } = open({ window: 100_000, layers: presets['open-code']() });
    say(session, 40);
    expect((await session.view()).messages).toHaveLength(80);
    const view = await session.switchTo({ window: 100_000, layers: presets.s08() });
    expect(view.receipt?.trigger).toBe('switch');
    expect(view.receipt?.lines.map(({ layer }) => layer)).toEqual(['snip-middle']);
    const snipped = view.messages.length;
    expect(snipped).toBeLessThanOrEqual(51);
    const back = await session.switchTo({ window: 100_000, layers: presets['open-code']() });
    expect(back.messages).toHaveLength(snipped);
    session.undo();
    expect((await session.view()).messages).toHaveLength(80);
  });

  it('reckons by the rule that the new ones bring, and by ours where they bring none', async () => {
    const { session } = open({ window: 100_000 });
    const triggerOf = (layers: ReturnType<(typeof presets)['s08']>): number =>
      createSession({ window: 100_000, layers }).status().budget.trigger;
    const own = session.status().budget.trigger;
    for (const layers of [presets['open-code'](), presets.s08(), presets['claude-code'](), presets.default()]) {
      await session.switchTo({ window: 100_000, layers });
      expect(session.status().budget.trigger).toBe(triggerOf(layers));
    }
    expect(session.status().budget.trigger).toBe(own);
  });

  it('refuses what are no layers, and stays with its own', async () => {
    const { session } = open({ window: 10_000 });
    say(session, 2);
    await expect(session.switchTo({ window: 10_000, layers: [{}] as never })).rejects.toThrow(/switchTo\(\).*no name/);
    expect((await session.view()).messages).toHaveLength(4);
  });
});
