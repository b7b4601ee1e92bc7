import { virtualClock } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  type Journal,
  type JournalRecord,
  type Session,
  type SessionEvent,
  user,
} from '../../src/index.ts';
import { newJournalWriter } from '../../src/session/journal-writer.ts';
import { long } from '../texts.ts';

function talk(session: Session, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${long('this and that', 20)}`));
    session.append(assistant(`Done ${i} ${long('so and so', 20)}`));
  }
}

/** A journal whose appends are answered by hand, where `isHanging`. */
function slowJournal() {
  const written: JournalRecord[] = [];
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const journal: Journal & { isHanging: boolean } = {
    isHanging: false,
    async append(records) {
      if (journal.isHanging) await new Promise<void>((resolve, reject) => open.push({ resolve, reject }));
      written.push(...records);
    },
    close: async () => {},
  };
  return { journal, written, open };
}

const breathe = (): Promise<void> => new Promise((go) => setImmediate(go));

describe('a journal that does not answer', () => {
  it('fails the view in time; what was decided stays, is written once and in order, and is told by the next view', async () => {
    const clock = virtualClock();
    const { journal, written, open } = slowJournal();
    const session = createSession({ window: 8_000, ports: { clock }, journal });
    session.append(user('Hello.'));
    await clock.run(session.view());
    journal.isHanging = true;
    talk(session, 60);
    await expect(clock.run(session.view())).rejects.toMatchObject({
      code: 'journal-failed',
      message: expect.stringContaining('did not answer within 30000 ms'),
      cause: { code: 'timed-out' },
    });
    expect(session.receipts()).toHaveLength(1);
    await expect(clock.run(session.saved())).rejects.toMatchObject({ code: 'journal-failed' });
    // The append under way was not made a second time.
    expect(open).toHaveLength(1);
    session.append(user('And more.'));
    journal.isHanging = false;
    open[0]!.resolve();
    const { receipt } = await clock.run(session.view());
    expect(receipt).toEqual(session.receipts()[0]);
    const messages = written.flatMap((record) => (record.type === 'message' ? [record.message] : []));
    expect(messages).toEqual(session.transcript());
    expect(written.flatMap((record) => (record.type === 'entry' ? [record.entry] : []))).toEqual(
      session.ledger().entries,
    );
  });

  it('that fails in the end, when nobody waits any more, is tried again', async () => {
    const clock = virtualClock();
    const { journal, written, open } = slowJournal();
    const session = createSession({ window: 8_000, ports: { clock }, journal });
    session.append(user('Hello.'));
    journal.isHanging = true;
    await expect(clock.run(session.view())).rejects.toMatchObject({ code: 'journal-failed' });
    open[0]!.reject(new Error('ENOSPC'));
    await breathe();
    journal.isHanging = false;
    await clock.run(session.view());
    expect(written.filter((record) => record.type === 'message')).toHaveLength(1);
  });

  it('lets an abort through at once, and loses nothing', async () => {
    const { journal, written, open } = slowJournal();
    const session = createSession({ window: 8_000, journal, ports: {} });
    session.append(user('Hello.'));
    journal.isHanging = true;
    const stop = new AbortController();
    const view = session.view({ signal: stop.signal });
    await breathe();
    stop.abort();
    await expect(view).rejects.toMatchObject({ name: 'AbortError' });
    journal.isHanging = false;
    open[0]!.resolve();
    await session.view();
    expect(written.filter((record) => record.type === 'message')).toHaveLength(1);
  });

  it('lets nothing into the view that was said while it wrote', async () => {
    const { journal, open } = slowJournal();
    const session = createSession({ window: 8_000, journal, ports: {} });
    session.append(user('Hello.'));
    journal.isHanging = true;
    const view = session.view();
    await breathe();
    session.append(user('Too late for this one.'));
    journal.isHanging = false;
    open[0]!.resolve();
    expect((await view).messages).toHaveLength(1);
    expect((await session.view()).messages).toHaveLength(2);
  });
});

describe('a journal that fails right after a compaction', () => {
  it('does not end it a second time: it is done, and the view is what failed', async () => {
    let isFull = false;
    const append = async (): Promise<void> => {
      if (isFull) throw new Error('ENOSPC');
    };
    const events: SessionEvent[] = [];
    const journal = { append, close: async () => {} };
    const session = createSession({ window: 8_000, journal, on: (event) => events.push(event) });
    session.append(user('Hello.'));
    await session.view();
    talk(session, 60);
    isFull = true;
    await expect(session.view()).rejects.toMatchObject({ code: 'journal-failed' });
    expect(events.filter((event) => event.type === 'compaction-ended')).toEqual([
      { type: 'compaction-ended', trigger: 'auto', outcome: 'done' },
    ]);
    isFull = false;
    expect((await session.view()).receipt).toEqual(session.receipts()[0]);
  });

  it('says what went wrong whatever it threw', async () => {
    for (const thrown of ['a string', undefined, null, Object.create(null), new Error('x'.repeat(9_999))]) {
      const append = (): Promise<void> => Promise.reject(thrown);
      const writer = newJournalWriter({ append, close: async () => {} });
      writer.write({ v: 1, type: 'session', id: 's' });
      const error = await writer.saveAll().catch((caught: Error) => caught);
      expect(error).toMatchObject({ code: 'journal-failed' });
      expect((error as Error).message.length).toBeLessThan(700);
    }
  });
});
