import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  type EditsEntry,
  type JournalRecord,
  plan,
  reasoning,
  result,
  results,
  type Session,
  user,
} from '../../src/index.ts';

const wire = { reasoning: 'bound', nativeEditing: false } as const;
const options = { window: 3_000, maxOutput: 100, wire } as const;

function recorder() {
  const records: JournalRecord[] = [];
  return {
    records,
    journal: { append: async (more: readonly JournalRecord[]) => void records.push(...more), close: async () => {} },
  };
}

async function work(session: Session, from: number, rounds: number): Promise<void> {
  for (let i = from; i < from + rounds; i++) {
    session.append(user(`Turn ${i}: ${'do this and that '.repeat(8)}`));
    await session.view();
    session.append(assistant([reasoning('Hm.', `sig${i}`), call(`c${i}`, 'read_file', { path: `f${i}` })]));
    session.append(results([result(`c${i}`, 'line of it\n'.repeat(60))]));
    await session.view();
  }
}

const entryOf = (record: JournalRecord | undefined): EditsEntry | undefined =>
  record?.type === 'entry' && record.entry.type === 'edits' ? record.entry : undefined;

/** The places in a journal at which a torn write leaves a walk without its last entries. */
const tornPlaces = (records: readonly JournalRecord[]): readonly number[] =>
  records.flatMap((record, at) => {
    const walk = entryOf(record)?.walk;
    return at > 0 && walk !== undefined && entryOf(records[at - 1])?.walk === walk ? [at] : [];
  });

describe('a walk that a crash cut short', () => {
  it('is as if it had never been made: the view, the status and the receipts are those before it', async () => {
    const { records, journal } = recorder();
    await work(createSession({ ...options, journal }), 0, 30);
    const places = tornPlaces(records);
    expect(places.length).toBeGreaterThan(3);
    for (const cut of places) {
      const walk = entryOf(records[cut])?.walk;
      const start = records.findIndex((record) => entryOf(record)?.walk === walk);
      const [torn, whole] = [cut, start].map((end) => createSession({ ...options, records: records.slice(0, end) }));
      expect(torn!.status()).toEqual(whole!.status());
      expect(torn!.receipts()).toEqual(whole!.receipts());
      const view = await torn!.view();
      expect(view.messages.map(({ id }) => id.replace(/\/e\d+/, ''))).toEqual(
        (await whole!.view()).messages.map(({ id }) => id.replace(/\/e\d+/, '')),
      );
      expect(view.receipt).toBeDefined();
    }
  });

  it('leaves its number and its references to nobody, and stays in the journal without harm', async () => {
    const { records, journal } = recorder();
    await work(createSession({ ...options, journal }), 0, 30);
    for (const cut of tornPlaces(records)) {
      const kept = records.slice(0, cut);
      const more = recorder();
      const session = createSession({ ...options, records: kept, journal: more.journal });
      await work(session, 100, 12);
      await session.saved();
      const all = [...kept, ...more.records];
      const refs = all.flatMap((record) => entryOf(record)?.edits.map(({ ref }) => ref) ?? []);
      expect(new Set(refs).size).toBe(refs.length);
      const tornWalk = entryOf(records[cut])?.walk;
      expect(more.records.some((record) => entryOf(record)?.walk === tornWalk)).toBe(false);
      const again = createSession({ ...options, records: JSON.parse(JSON.stringify(all)) });
      expect(again.status()).toEqual(session.status());
      expect(again.receipts()).toEqual(session.receipts());
      expect(JSON.stringify(await again.view())).toBe(JSON.stringify(await session.view()));
      // A host that plans with the ledger alone sees the same.
      const planned = plan(session.transcript(), session.ledger(), { budget: budget({ window: 1e6 }), wire });
      expect(JSON.stringify(planned.view)).toBe(JSON.stringify((await session.view()).messages));
    }
  });

  it('cannot be told in a journal of an earlier version, which loads as it did', async () => {
    const { records, journal } = recorder();
    const session = createSession({ ...options, journal });
    await work(session, 0, 20);
    const old = records.map((record): JournalRecord => {
      const entry = entryOf(record);
      if (entry === undefined) return record;
      const { of: _, unbinds: __, ...rest } = entry;
      return { v: 1, type: 'entry', entry: rest };
    });
    const again = createSession({ ...options, records: old });
    expect(again.status()).toEqual(session.status());
    expect(JSON.stringify(await again.view())).toBe(JSON.stringify(await session.view()));
  });
});
