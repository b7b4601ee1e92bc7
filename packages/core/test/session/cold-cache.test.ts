import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  dropOldestRounds,
  type JournalRecord,
  presets,
  type Session,
  type SessionOptions,
  user,
} from '../../src/index.ts';
import { good, scripted, summaryFor } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';
import { long, textOf } from '../texts.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5, 9);

/** The target of a window of 40,000 is 8,000 tokens: above 10,000 a cold cache presses, from 33,400 on the limit. */
const WINDOW = 40_000;

/** Turns of about 300 tokens, a minute each, from `START` on. */
function work(session: Session, turns: number): number {
  for (let i = 0; i < turns; i++) {
    session.append({ ...user(`Turn mill ${i}.`), at: START + i * MINUTE });
    session.append({ ...assistant(`Mill ${i} turns: ${long('water', 220)}`), at: START + i * MINUTE });
  }
  return START + (turns - 1) * MINUTE;
}

const newSession = (options: Partial<SessionOptions> = {}): Session =>
  createSession({ window: WINDOW, drafts: false, ...options });

/** A view that a model was shown, and one after a pause with one more message. */
async function pause(session: Session, turns: number, minutes: number) {
  const last = work(session, turns);
  const before = await session.view({ now: last });
  session.append({ ...user('And now?'), at: last + minutes * MINUTE });
  return { before, after: await session.view({ now: last + minutes * MINUTE }) };
}

describe('a cold cache counts as pressure', () => {
  it('above 1.25 × the target the view goes down to the target, and the receipt says why in words and figures', async () => {
    const { before, after } = await pause(newSession(), 45, 6);
    expect(before.receipt).toBeUndefined();
    expect(before.tokens).toBeGreaterThan(10_010);
    expect(after.tokens).toBeLessThanOrEqual(8_010);
    expect(after.receipt!.reason).toMatch(
      /^cold cache: \d+ tokens would be written anew at 3.75 a million; above 9007 they go down to 7207/,
    );
  });

  it('on a warm cache the same view stays as it is', async () => {
    const { after } = await pause(newSession(), 45, 4);
    expect(after.receipt).toBeUndefined();
  });

  it('up to 1.25 × the target too little would go: the view stays', async () => {
    const { before, after } = await pause(newSession(), 36, 6);
    expect(before.tokens).toBeGreaterThan(8_010);
    expect(before.tokens).toBeLessThan(10_010);
    expect(after.receipt).toBeUndefined();
  });

  it('how long a cache lives is the host’s to say', async () => {
    expect((await pause(newSession({ cacheTtlMs: 60 * MINUTE }), 45, 30)).after.receipt).toBeUndefined();
    expect((await pause(newSession({ cacheTtlMs: 60 * MINUTE }), 45, 61)).after.receipt).toBeDefined();
  });

  it('without times nobody knows that it is cold', async () => {
    const session = newSession();
    for (let i = 0; i < 45; i++) {
      session.append(user(`Turn ${long('wheel', 110)}`));
      session.append(assistant(`Turns ${long('water', 110)}`));
      expect((await session.view()).receipt).toBeUndefined();
    }
  });

  it('never hides by the floor, which hides without a word', async () => {
    const { after } = await pause(newSession({ layers: [dropOldestRounds()] }), 45, 6);
    expect(after.receipt).toBeUndefined();
  });

  it('is no reason in the presets that follow documents of others', async () => {
    for (const name of ['claude-code', 'open-code', 's08'] as const) {
      const layers = presets[name](name === 's08' ? { snipMiddle: false } : {});
      const { after } = await pause(newSession({ window: 64_000, layers }), 60, 6);
      expect(after.receipt?.lines.map((line) => line.layer) ?? []).not.toContain('summarize-history');
    }
  });

  it('is no reason while compaction is off, or holds still after an undo', async () => {
    const off = await pause(newSession({ switches: { autoDisabled: true } }), 45, 6);
    expect(off.after.receipt).toBeUndefined();
    const session = newSession();
    await pause(session, 45, 6);
    session.undo();
    const later = START + 120 * MINUTE;
    session.append({ ...assistant('Yes.'), at: later });
    session.append({ ...user('Go on.'), at: later });
    expect((await session.view({ now: later })).receipt).toBeUndefined();
  });

  it('a loaded session decides the same', async () => {
    const decide = async (reload: boolean) => {
      const records: JournalRecord[] = [];
      const journal = {
        append: async (some: readonly JournalRecord[]) => void records.push(...some),
        close: async () => {},
      };
      const session = newSession({ journal });
      const last = work(session, 45);
      await session.view({ now: last });
      await session.settled();
      const next = reload ? newSession({ records: JSON.parse(JSON.stringify(records)) }) : session;
      next.append({ ...user('And now?'), id: 'now', at: last + 6 * MINUTE });
      return next.view();
    };
    const [lived, loaded] = [await decide(false), await decide(true)];
    expect(lived.receipt).toBeDefined();
    expect(loaded).toEqual(lived);
  });

  it('what a cold walk does not gain stops nothing', async () => {
    const session = newSession({ layers: presets.default({ summarizeHistory: false, collapseSpans: false }) });
    let last = work(session, 45);
    for (let i = 0; i < 4; i++) {
      last += 10 * MINUTE;
      session.append({ ...user(`Still ${i}?`), at: last });
      await session.view({ now: last });
      session.append({ ...assistant('Still.'), at: last });
    }
    expect(session.status().paused).toBeUndefined();
  });
});

describe('on a cold cache the digest is preferred to a paid summary', () => {
  const summarizer = good;

  it('no model is asked, where it would read everything at the price of writing', async () => {
    const port = summarizer();
    const layers = presets.default({ summarizeHistory: { modelFrom: 0 }, collapseSpans: false });
    const { after } = await pause(newSession({ layers, ports: { summarizer: port } }), 45, 6);
    expect(after.receipt!.summary).toMatchObject({ by: 'digest' });
    expect(port.requests).toEqual([]);
  });

  it('on a warm cache, at the trigger, one is', async () => {
    const port = summarizer();
    const session = newSession({ layers: askingLayers(), ports: { summarizer: port } });
    const last = work(session, 120);
    const { receipt } = await session.view({ now: last });
    expect(receipt!.summary).toMatchObject({ by: 'model' });
    expect(port.requests).toHaveLength(1);
  });

  it('what a model wrote before stays in the summary', async () => {
    const port = scripted((request) => ({
      text: summaryFor(request, { Facts: '- the mill at the weir' }),
      stop: 'end',
    }));
    const session = newSession({ layers: askingLayers(), ports: { summarizer: port } });
    work(session, 60);
    await session.compact({ form: 'up-to' });
    const { after } = await pause(session, 50, 60);
    expect(after.receipt!.summary).toMatchObject({ by: 'digest' });
    expect(port.requests).toHaveLength(1);
    expect(textOf(after.messages)).toContain('the mill at the weir');
  });
});
