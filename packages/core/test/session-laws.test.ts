import { estimateOnce, exactBudget, fastOrDeep, histories, refusal } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  type Edit,
  emptyLedger,
  type Ledger,
  type Message,
  type NewMessage,
  type PresetName,
  plan,
  presets,
  type Session,
} from '../src/index.ts';
import { newestUnitOf, unitWith } from './support/units.ts';

const runs = { numRuns: fastOrDeep(500, 2_000) };
const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tokens = fc.integer({ min: 200, max: 6_000 });

/** Leads a history through a session as a host does: a view before every model call, which is before every assistant message. */
async function live(
  session: Session,
  history: readonly NewMessage[],
  each: (view: readonly Message[], declared: boolean) => void,
) {
  for (const [i, message] of history.entries()) {
    if (message.role === 'assistant' && i > 0) {
      const { messages, receipt } = await session.view();
      each(messages, receipt?.declared === true);
    }
    session.append(message);
  }
}

/** A history that always asks the model when every call is answered, so that every view is one a host would send. */
const windowFor = (size: number) => ({ window: Math.max(1_200, size * 2), maxOutput: 100 });

describe('laws of a session', () => {
  it('appending keeps the previous view as a prefix, byte for byte, unless a compaction is declared', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, async (history, name, size) => {
        const session = createSession({ ...windowFor(size), layers: presets[name](), count: estimateOnce });
        let before = '[]';
        let length = 0;
        await live(session, history, (view, declared) => {
          expect(refusal(view, history)).toBeUndefined();
          if (!declared) expect(JSON.stringify(view.slice(0, length))).toBe(before);
          before = JSON.stringify(view);
          length = view.length;
        });
      }),
      runs,
    );
  });

  it('every hidden message is reachable by its reference', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const { ledger, view } = plan(history, emptyLedger, {
          budget: exactBudget(size),
          layers: presets[name](),
          count: estimateOnce,
        });
        const session = createSession({ window: 1_000_000, records: recordsOf(history, ledger) });
        const transcript = session.transcript();
        const shown = new Set(view.map((message) => message.id));
        const recalled = new Map<string, string>();
        for (const entry of ledger.entries) {
          if (entry.type !== 'edits') continue;
          for (const edit of entry.edits)
            for (const message of session.recall.read(edit.ref).messages)
              recalled.set(message.id, JSON.stringify(message));
        }
        for (const message of transcript)
          if (!shown.has(message.id)) expect(recalled.get(message.id)).toBe(JSON.stringify(message));
      }),
      runs,
    );
  });

  it('undo restores the exact earlier view', async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, fc.boolean(), async (history, name, size, refused) => {
        const session = createSession({ ...windowFor(size), layers: presets[name](), count: estimateOnce });
        for (const message of history) session.append(message);
        await session.view();
        const before = viewNow(session);
        const overflow = (): Promise<unknown> =>
          session.overflowed().then(
            (view) => view.receipt,
            (error) => void expect(error.code).toBe('cannot-reduce'),
          );
        if ((refused ? await overflow() : await session.compact()) === undefined) return;
        undone++;
        session.undo();
        expect(viewNow(session)).toBe(before);
        // It is also what is sent next, as long as the limit is not near.
        const { messages, receipt } = await session.view();
        if (receipt === undefined) expect(JSON.stringify(messages)).toBe(before);
      }),
      runs,
    );
    expect(undone).toBeGreaterThan(runs.numRuns / 2);
  });

  it('a pin is touched by the floor alone, only where every other round is gone, and the receipt says so', async () => {
    let touched = 0;
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, fc.nat(), async (history, name, size, pick) => {
        const session = createSession({ ...windowFor(size), layers: presets[name](), count: estimateOnce });
        for (const message of history) session.append(message);
        const transcript = session.transcript();
        const pinned = transcript[pick % transcript.length]!;
        session.pin(pinned.id);
        const { messages } = await session.view();
        const isWhole = messages.some((message) => JSON.stringify(message) === JSON.stringify(pinned));
        for (const entry of session.ledger().entries)
          if (entry.type === 'edits' && !FLOOR.has(entry.layer))
            for (const edit of entry.edits) expect(touches(edit, pinned, transcript)).toBe(false);
        const told = session.receipts().some((receipt) => receipt.pinsBounded.includes(pinned.id));
        expect(told).toBe(!isWhole);
        if (isWhole) return;
        touched++;
        const left = [...newestUnitOf(messages), ...unitWith(messages, pinned.id)].map((message) => message.id);
        for (const message of messages) if (message.role === 'assistant') expect(left).toContain(message.id);
      }),
      runs,
    );
    expect(touched).toBeGreaterThan(runs.numRuns / 50);
  });
});

/** The floor, and the last look at the user's words, which may write the floor's notice anew: what it hides is hidden already. */
const FLOOR = new Set(['drop-oldest-rounds', 'hold-words']);

/** Whether an edit changes or hides a message of the transcript. */
function touches(edit: Edit, message: Message, transcript: readonly Message[]): boolean {
  if (edit.type === 'insert') return false;
  if (edit.type !== 'fold') return edit.message === message.id;
  const place = (id: string): number => transcript.findIndex((one) => one.id === id);
  const isInside = place(edit.from) <= place(message.id) && place(message.id) <= place(edit.to);
  return isInside && !edit.messages.some((shown) => JSON.stringify(shown) === JSON.stringify(message));
}

const recordsOf = (history: readonly NewMessage[], ledger: Ledger) => {
  const plain = createSession({ window: 1_000_000 });
  for (const message of history) plain.append(message);
  return [
    ...plain.transcript().map((message) => ({ v: 1 as const, type: 'message' as const, message })),
    ...ledger.entries.map((entry) => ({ v: 1 as const, type: 'entry' as const, entry })),
  ];
};

/** The view that transcript and ledger fold to, without another walk. */
const viewNow = (session: Session): string =>
  JSON.stringify(plan(session.transcript(), session.ledger(), { budget: exactBudget(1_000_000), layers: [] }).view);
