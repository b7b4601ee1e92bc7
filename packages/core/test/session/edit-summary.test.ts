import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  user,
  violationOf,
} from '../../src/index.ts';
import { scripted, summaryFor } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

function work(session: Session, rounds = 10): void {
  for (let i = 0; i < rounds; i++) {
    session.append(user(`Do ${i} ${long('this', 100)}`));
    session.append(assistant([call(`c${i}`, 'read_file', { path: `src/${i}.ts` })]));
    session.append(results([result(`c${i}`, `const mill${i} = ${i};`)]));
    session.append(assistant(`Done ${i} ${long('so', 100)}`));
  }
}

const miller = () =>
  scripted((request) => ({
    text: summaryFor(request, { 'Current work': '- the mill turns\n- the sluice is open' }),
    stop: 'end',
    usage: { input: 100, output: 10 },
  }));

function open(options: Partial<SessionOptions> = {}) {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const session = createSession({ window: 50_000, drafts: false, journal, ...options });
  return { session, records };
}

const shown = async (session: Session) =>
  textOf((await session.view()).messages.filter((one) => one.origin === 'palimpsest').slice(0, 1));

describe('a summary that the user edits', () => {
  it('says what the user wrote, beside what code read off the transcript, and the transcript is as it was', async () => {
    const { session } = open();
    work(session);
    await session.compact({ form: 'all' });
    const [before, transcript] = [await shown(session), session.transcript()];
    const receipt = await session.editSummary('## Decided\n- The mill is sold in May.');
    expect(receipt).toMatchObject({ declared: true, trigger: 'manual', reason: 'edited by the user' });
    const after = await shown(session);
    expect(after.replace('## Decided\n- [s1] The mill is sold in May.\n', '')).toBe(before);
    expect(session.transcript()).toEqual(transcript);
    expect(session.summary()).toMatchObject({
      by: 'user',
      items: [{ section: 'Decided', text: 'The mill is sold in May.', by: 'user' }],
    });
  });

  it('keeps what it left alone, number by number; what is gone or said differently is retired and can still be read', async () => {
    const { session } = open();
    work(session);
    await session.compact({ form: 'all' });
    await session.editSummary('## Facts\n- the mill turns\n- the sluice is open\n- the corn is dry');
    const before = session.summary()!;
    expect(before.items.map(({ number, text }) => [number, text])).toEqual([
      [1, 'the mill turns'],
      [2, 'the sluice is open'],
      [3, 'the corn is dry'],
    ]);
    const words = before.narrative!.replace('is open', 'is shut').replace('- [s3] the corn is dry', '- the wind is up');
    await session.editSummary(words);
    const now = session.summary()!;
    expect(now.items).toEqual([
      before.items[0],
      { ...before.items[1], text: 'the sluice is shut' },
      expect.objectContaining({ number: 4, text: 'the wind is up', by: 'user' }),
    ]);
    expect(now.retired.map(({ item }) => item.text)).toEqual(['the sluice is open', 'the corn is dry']);
    expect(session.recall.read('s3').text).toContain('the corn is dry');
  });

  it('of a preset that writes summaries whole is shown as it was written', async () => {
    const { session } = open({ layers: presets['claude-code'](), ports: { summarizer: miller() } });
    work(session);
    await session.compact();
    const words = session.summary()!.narrative!.replace('the sluice is open', 'the sluice is shut');
    await session.editSummary(words);
    expect(session.summary()!.narrative).toBe(words.trim());
    expect(session.summary()!.items.find(({ text }) => text.includes('shut'))).toMatchObject({ by: 'user' });
    expect(session.summary()!.items.find(({ text }) => text.includes('turns'))).toMatchObject({ by: 'model' });
  });

  it.each(['default', 'claude-code', 's08', 'open-code'] as const)(
    'stays through later compactions by code: %s',
    async (name) => {
      const { session } = open({ layers: presets[name]() });
      for (let i = 0; i < 3; i++) {
        work(session);
        await session.compact({ form: 'all' });
        if (i === 0) await session.editSummary('- The mill is sold in May.');
        expect(await shown(session)).toContain('The mill is sold in May.');
      }
    },
  );

  it('is journalled and taken back by undo, byte for byte; compaction goes on as if nothing had been', async () => {
    const { session, records } = open();
    work(session);
    await session.compact({ form: 'all' });
    const before = await session.view();
    await session.editSummary('Sold.');
    await session.editSummary('Sold in May.');
    const edited = await session.view();
    const loaded = createSession({ window: 50_000, records });
    expect((await loaded.view()).messages).toEqual(edited.messages);
    expect(loaded.summary()).toEqual(session.summary());
    loaded.undo();
    loaded.undo();
    expect((await loaded.view()).messages).toEqual(before.messages);
    expect(loaded.status().paused).toBeUndefined();
  });

  it('taken back by undo lifts no pause: a compaction that was taken back before stays so', async () => {
    const { session } = open();
    work(session);
    await session.compact({ form: 'all' });
    work(session);
    await session.compact({ form: 'all' });
    session.undo();
    expect(session.status().paused).toBe('undone');
    await session.editSummary('Sold.');
    expect(session.status().paused).toBe('undone');
    session.undo();
    expect(session.status().paused).toBe('undone');
  });

  it('is what the next summary starts from: a model is shown it, and code keeps it', async () => {
    const summarizer = miller();
    const { session } = open({ layers: presets['claude-code'](), ports: { summarizer } });
    work(session);
    await session.compact();
    await session.editSummary('## Decided\n- The mill is sold in May.');
    work(session);
    await session.compact();
    expect(JSON.stringify(summarizer.requests.at(-1))).toContain('The mill is sold in May.');
  });

  it('leaves what was carried behind it where it was, and every view is sound', async () => {
    const carry = { carry: async () => [{ kind: 'todo', name: 'todo', text: 'grease the axle' }] as never };
    const { session } = open({ layers: presets['claude-code'](), ports: { carry } });
    work(session);
    await session.compact();
    const before = (await session.view()).messages;
    expect(textOf(before)).toContain('grease the axle');
    await session.editSummary('Sold.');
    const after = (await session.view()).messages;
    expect(violationOf(after)).toBeUndefined();
    // The head stands before the summary, and what was carried behind it.
    expect(after).toHaveLength(before.length);
    expect(after[0]).toEqual(before[0]);
    expect(after.slice(2).map((message) => message.parts)).toEqual(before.slice(2).map((message) => message.parts));
  });

  it('holds every reference that it printed before, also of a summary around a pinned message', async () => {
    const { session } = open();
    session.append(user('Keep this.', 'kept'));
    work(session);
    session.append(user('And this.', 'too'));
    session.append(assistant('Yes.'));
    work(session);
    session.pin('too');
    await session.compact({ form: 'all' });
    await session.editSummary('Sold.');
    const text = textOf((await session.view()).messages);
    for (const [, ref] of text.matchAll(/recall (e\d+(?: to e\d+)?)/g))
      expect(session.recall.read(ref!).messages.length).toBeGreaterThan(0);
    expect(text).toContain('And this.');
  });

  it('costs nothing again: what was paid for it counts once', async () => {
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const { session } = open({ layers: presets['claude-code'](), ports: { summarizer: miller() }, prices });
    work(session);
    await session.compact();
    const before = session.totals();
    await session.editSummary('Sold.');
    expect(session.totals()).toEqual(before);
  });

  it('is refused where there is none, where it is no text, and where it is longer than a summary may be', async () => {
    const { session } = open();
    work(session);
    await expect(session.editSummary('Sold.')).rejects.toMatchObject({ code: 'no-summary' });
    await session.compact({ form: 'all' });
    await expect(session.editSummary(7 as never)).rejects.toMatchObject({ code: 'bad-option' });
    await expect(session.editSummary('word '.repeat(60_000))).rejects.toMatchObject({ code: 'bad-option' });
    expect(session.summary()!.by).toBe('digest');
  });
});
