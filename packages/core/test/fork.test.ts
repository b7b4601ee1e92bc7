import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  result,
  results,
  type Session,
  text,
  user,
} from '../src/index.ts';

const WINDOW = 6_000;

/** A round of an agent: a call and its result. */
function addRound(session: Session, n: number, name = 'a'): void {
  session.append(assistant([text(`Reading ${n}.`), call(`${name}${n}`, 'read', { path: `${name}/${n}.ts` })]));
  session.append(results([result(`${name}${n}`, `${name} line of file ${n}\n`.repeat(60))]));
}

/** A session of so many rounds; after every round, what its view was and the newest message's id. */
async function work(rounds: number, session: Session) {
  session.append(user('Read every file. Never push.'));
  const stood: { readonly id: string; readonly sent: string }[] = [];
  for (let n = 1; n <= rounds; n++) {
    addRound(session, n);
    const { messages } = await session.view();
    stood.push({ id: session.transcript().at(-1)!.id, sent: JSON.stringify(messages) });
    session.observe({ input: session.status().tokens });
  }
  return stood;
}

describe('a fork', () => {
  it('begins with the view that stood at its place, byte for byte, wherever that is', async () => {
    const session = createSession({ window: WINDOW });
    const stood = await work(30, session);
    expect(session.receipts().length).toBeGreaterThan(1);
    for (const { id, sent } of stood) expect(JSON.stringify((await session.fork(id).view()).messages)).toBe(sent);
    expect(JSON.stringify((await session.fork().view()).messages)).toBe(stood.at(-1)!.sent);
  });

  it('goes its own way: what either says or decides later is in neither the other nor its view', async () => {
    const session = createSession({ window: WINDOW });
    const stood = await work(20, session);
    const fork = session.fork(stood[9]!.id);
    for (let n = 11; n <= 30; n++) {
      addRound(fork, n, 'other');
      await fork.view();
    }
    expect(fork.transcript().length).toBe(1 + 2 * 30);
    expect(JSON.stringify((await session.view()).messages)).toBe(stood.at(-1)!.sent);
    expect(JSON.stringify(session.transcript())).not.toContain('other');
    const said = JSON.stringify([fork.transcript(), fork.ledger()]);
    for (let n = 11; n <= 20; n++) expect(said).not.toContain(`a line of file ${n}`);
  });

  it('shares its messages with the session it comes from, and recalls what was hidden before it', async () => {
    const session = createSession({ window: WINDOW });
    const stood = await work(30, session);
    const fork = session.fork(stood.at(-1)!.id);
    for (const [i, message] of fork.transcript().entries()) expect(message).toBe(session.transcript()[i]);
    const [ref] = session.receipts()[0]!.lines.flatMap(({ refs }) => refs);
    expect(fork.recall.read(ref!)).toEqual(session.recall.read(ref!));
    expect(fork.receipts()).toEqual(session.receipts());
  });

  it('writes all that it begins with into a journal of its own, and none of it into the one it comes from', async () => {
    const saved: JournalRecord[] = [];
    const theirs: JournalRecord[] = [];
    const journalOf = (records: JournalRecord[]) => ({
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    });
    const session = createSession({ window: WINDOW, journal: journalOf(theirs) });
    const stood = await work(20, session);
    const before = theirs.length;
    const fork = session.fork(stood[14]!.id, { journal: journalOf(saved) });
    const { messages } = await fork.view();
    const loaded = createSession({ window: WINDOW, records: saved });
    expect(JSON.stringify((await loaded.view()).messages)).toBe(JSON.stringify(messages));
    expect(theirs).toHaveLength(before);
  });

  it('keeps to the budget and the layers that the session was switched to', async () => {
    const session = createSession({ window: WINDOW });
    await work(5, session);
    await session.switchTo({ window: 50_000 });
    expect(session.fork().status().budget.window).toBe(50_000);
    expect(session.fork(undefined, { window: 3_000 }).status().budget.window).toBe(3_000);
  });

  it('of a session that was loaded is the same', async () => {
    const saved: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void saved.push(...more),
      close: async () => {},
    };
    const stood = await work(25, createSession({ window: WINDOW, journal }));
    const loaded = createSession({ window: WINDOW, records: JSON.parse(JSON.stringify(saved)) as JournalRecord[] });
    for (const { id, sent } of stood.slice(5, 24))
      expect(JSON.stringify((await loaded.fork(id).view()).messages)).toBe(sent);
  });

  it('at a message that is not there is refused', () => {
    const session = createSession({ window: WINDOW });
    session.append(user('Hi.'));
    expect(() => session.fork('nobody')).toThrow(expect.objectContaining({ code: 'unknown-message' }));
  });
});
