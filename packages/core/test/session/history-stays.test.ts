import { describe, expect, it } from 'vitest';
import {
  assistant,
  type CarryItem,
  call,
  createSession,
  type Entry,
  type JournalRecord,
  result,
  results,
  type Session,
  type Summarizer,
  text,
  user,
} from '../../src/index.ts';
import { askingLayers } from '../support/asking-layers.ts';

const words = 'alpha beta gamma delta '.repeat(30);

function work(session: Session, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`${i} ${words}`));
    session.append(assistant([call(`c${i}`, 'bash', { command: `run ${i}`, list: [{ n: i }] })]));
    session.append(results([result(`c${i}`, `${i} ${words}`)]));
    session.append(assistant(`Done ${i}.`));
  }
}

/** Tries to change every object that can be reached, as a host in plain JavaScript could. */
function vandalize(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const one of Object.values(value)) vandalize(one, seen);
  for (const key of Object.keys(value)) {
    Reflect.set(value, key, 'gone');
    Reflect.deleteProperty(value, key);
  }
  Reflect.set(value, 'added', true);
}

const keep = (): { readonly records: JournalRecord[]; readonly journal: never } => {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...JSON.parse(JSON.stringify(more))),
    close: async () => {},
  };
  return { records, journal: journal as never };
};

describe('what was appended stays, whatever a host does to its own objects', () => {
  it('in the transcript, the view and the journal, though nothing was saved yet', async () => {
    const { records, journal } = keep();
    const session = createSession({ window: 4_000, journal });
    const input = { files: ['a.ts'], deep: { n: 1 } };
    const content = [text('the output')];
    const messages = [user([text('Never push to main.')]), assistant([call('c', 'read', input)])];
    const said = JSON.stringify([...messages, results([result('c', content)])]);
    for (const message of [...messages, results([result('c', content)])]) {
      session.append(message);
      vandalize(message);
    }
    vandalize(input);
    vandalize(content);
    const { messages: shown } = await session.view();
    for (const list of [
      session.transcript(),
      shown,
      records.flatMap((one) => (one.type === 'message' ? one.message : [])),
    ])
      expect(JSON.stringify(list.map(({ id: _, ...message }) => message))).toBe(said);
  });

  it('and the host may go on changing them: they are not frozen', () => {
    const message = { role: 'user' as const, parts: [text('one')] };
    const session = createSession({ window: 4_000 });
    session.append(message);
    message.parts.push(text('two'));
    session.append(message);
    expect(session.transcript().map(({ parts }) => parts.length)).toEqual([1, 2]);
  });

  it('also of records that it loads from', async () => {
    const { records, journal } = keep();
    const session = createSession({ window: 4_000, journal });
    work(session, 20);
    const { messages } = await session.view();
    const again = createSession({ window: 4_000, records });
    vandalize(records);
    expect(JSON.stringify((await again.view()).messages)).toBe(JSON.stringify(messages));
  });
});

describe('what is handed out cannot rewrite history', () => {
  async function vandalized(vandal: (value: unknown) => void) {
    const { records, journal } = keep();
    const carried: CarryItem[] = [];
    const summarizer: Summarizer = {
      window: 100_000,
      sharesPrefix: true,
      async summarize(request) {
        vandal(request);
        throw new Error('no summary');
      },
    };
    const session = createSession({
      window: 4_000,
      layers: askingLayers(),
      journal: {
        append: async (more) => {
          await (journal as { append(more: unknown): Promise<void> }).append(more);
          vandal(more);
        },
        close: async () => {},
      },
      on: vandal,
      ports: {
        // The clock decides when a slice ends, and so where the record of a draft comes in between.
        summarizer,
        carry: {
          async carry() {
            const item = { kind: 'note' as const, name: 'rules', text: 'carried along' };
            carried.push(item);
            return [item];
          },
        },
        hooks: { before: ({ trigger }) => ({ instructions: trigger }), after: (told) => vandal(told) as undefined },
      },
    });
    const views: string[] = [];
    for (let round = 0; round < 4; round++) {
      work(session, 5);
      const view = await session.view();
      views.push(JSON.stringify(view.messages));
      for (const one of [view, session.transcript(), session.ledger(), session.receipts(), session.status(), carried])
        vandal(one);
      for (const { message } of session.recall.search('alpha')) vandal(message);
      const refs = session.receipts().flatMap(({ lines }) => lines.flatMap((line) => line.refs));
      for (const ref of ['m1', ...refs]) vandal(session.recall.read(ref));
    }
    await session.saved();
    const undone: string[] = [];
    while (session.receipts().length > 0) {
      session.undo();
      undone.push(JSON.stringify((await session.view({ now: 1 })).messages));
      if (undone.length > 3) break;
    }
    return { views, undone, transcript: JSON.stringify(session.transcript()), records: JSON.stringify(records) };
  }

  it('views, transcript, ledger, receipts, recall, events, journal batches, what ports are shown: all of it', async () => {
    const honest = await vandalized(() => {});
    const attacked = await vandalized((value) => vandalize(value));
    expect(honest.undone.length).toBeGreaterThan(1);
    expect(attacked.views.map((view, i) => view === honest.views[i])).toEqual(honest.views.map(() => true));
    expect(attacked.undone.map((view, i) => view === honest.undone[i])).toEqual(honest.undone.map(() => true));
    expect(attacked.transcript).toBe(honest.transcript);
    expect(attacked.records).toBe(honest.records);
  });

  it('a message that was cut is frozen like one that was not', async () => {
    const session = createSession({ window: 2_000 });
    work(session, 12);
    const { messages } = await session.view();
    for (const message of messages) {
      expect(Object.isFrozen(message)).toBe(true);
      expect(Object.isFrozen(message.parts)).toBe(true);
      for (const part of message.parts) expect(Object.isFrozen(part)).toBe(true);
    }
    const entries: readonly Entry[] = session.ledger().entries;
    for (const entry of entries) expect(Object.isFrozen(entry)).toBe(true);
  });
});
