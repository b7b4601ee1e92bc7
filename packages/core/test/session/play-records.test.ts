import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  type Message,
  playRecords,
  presets,
  proveSummary,
  result,
  text,
  user,
} from '../../src/index.ts';

/** A session that is compacted again and again, its journal, and the views as they were handed out. */
async function live() {
  const records: JournalRecord[] = [];
  const views: (readonly Message[])[] = [];
  const session = createSession({
    window: 6_000,
    layers: presets.lean(),
    journal: { append: async (added) => void records.push(...added), close: async () => {} },
  });
  session.append(user('Never touch the migrations folder.'));
  for (let round = 0; round < 40; round++) {
    views.push((await session.view()).messages);
    session.append(assistant([text(`Round ${round}.`), call(`c${round}`, 'read', { path: `src/${round}.ts` })]));
    session.append({ role: 'user', parts: [result(`c${round}`, `value ${round} `.repeat(90))] });
    if (round === 30) session.undo();
  }
  await session.saved();
  return { session, records, views };
}

describe('a journal that is played again', () => {
  it('shows at every view that was handed out the messages that were', async () => {
    const { records, views } = await live();
    const played: (readonly Message[])[] = [];
    for (const { record, messages } of playRecords(records))
      if (record.type === 'entry' && record.entry.type === 'seen') played.push(messages());
    expect(played).toEqual(views);
  });

  it('tells every walk with its receipt, and what each edit freed', async () => {
    const { session, records } = await live();
    const walks = [...playRecords(records)].flatMap(({ walk }) => walk ?? []);
    const standing = new Set(session.receipts().map(({ walk }) => walk));
    expect(walks.filter(({ receipt }) => standing.has(receipt.walk)).map(({ receipt }) => receipt)).toEqual(
      session.receipts(),
    );
    expect(walks.length).toBe(standing.size + 1);
    for (const { receipt, items, tokensBefore } of walks) {
      expect(items.map(({ ref }) => ref)).toEqual(expect.arrayContaining(receipt.lines.flatMap(({ refs }) => refs)));
      expect(items.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(tokensBefore);
    }
  });

  it('forgets a walk that a crash cut short, as the session does', async () => {
    const { records } = await live();
    const isCut = (record: JournalRecord): boolean =>
      record.type === 'entry' && record.entry.type === 'edits' && (record.entry.of ?? 1) > 1;
    const first = records.findIndex(isCut);
    expect(first).toBeGreaterThan(0);
    const cut = [...records.slice(0, first + 1), { v: 1, type: 'message', message: { ...user('Go on.'), id: 'late' } }];
    const played = [...playRecords(cut as JournalRecord[])];
    expect(played.slice(first).every(({ walk }) => walk === undefined)).toBe(true);
  });
});

it('a summary that somebody else wrote is proven by the names that stand where it came from', () => {
  const source = [user('Look at src/rates.ts, please.'), assistant('src/rates.ts holds vatTable.')].map(
    (message, i): Message => ({ origin: 'human', ...message, id: `m${i}` }),
  );
  const { items, flagged } = proveSummary('- src/rates.ts holds vatTable\n- reverseCharge is in src/tax.ts', source);
  expect(items.map(({ places }) => places.map(({ message }) => message))).toEqual([['m1'], []]);
  expect(flagged).toEqual(['reverseCharge', 'src/tax.ts']);
});
