import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  emptyLedger,
  type Ledger,
  type Message,
  type NewMessage,
  type PresetName,
  parseLedger,
  plan,
  presets,
  type Session,
} from '../src/index.ts';
import { histories } from './histories.ts';
import { exactly, refusal } from './views.ts';

const runs = { numRuns: 2_000 };
const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tokens = fc.integer({ min: 200, max: 6_000 });

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}

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

describe('laws of the walk', () => {
  it('any history under any budget gives a valid view within it', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const made = plan(history, emptyLedger, { budget: exactly(size), layers: presets[name]() });
        expect(refusal(made.view, history)).toBeUndefined();
        expect(made.tokens).toBeLessThanOrEqual(size);
        expect(made.fits).toBe(true);
      }),
      runs,
    );
  });

  it('inputs are never mutated', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const ledger = frozen(
          plan(frozen(history), emptyLedger, { budget: exactly(size), layers: presets[name]() }).ledger,
        );
        plan(history, ledger, { budget: frozen(exactly(Math.ceil(size / 2))), layers: presets[name]() });
      }),
      runs,
    );
  });

  it('the same input gives the same bytes', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const once = () =>
          JSON.stringify(plan(history, emptyLedger, { budget: exactly(size), layers: presets[name]() }));
        expect(once()).toBe(once());
      }),
      runs,
    );
  });

  it('a ledger survives JSON, and the view with it', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const options = { budget: exactly(size), layers: presets[name]() };
        const made = plan(history, emptyLedger, options);
        const again = parseLedger(JSON.parse(JSON.stringify(made.ledger)));
        expect(JSON.stringify(plan(history, again, { ...options, layers: [] }).view)).toBe(JSON.stringify(made.view));
      }),
      runs,
    );
  });

  it('tokens never grow from layer to layer', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const { visits } = plan(history, emptyLedger, { budget: exactly(size), layers: presets[name]() });
        for (const visit of visits) expect(visit.tokensAfter).toBeLessThanOrEqual(visit.tokensBefore);
      }),
      runs,
    );
  });

  it('a second walk changes nothing', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const options = { budget: exactly(size), layers: presets[name]() };
        const made = plan(history, emptyLedger, options);
        const again = plan(history, made.ledger, options);
        expect(again.view).toEqual(made.view);
        expect(again.ledger).toEqual(made.ledger);
      }),
      runs,
    );
  });

  it('appending keeps the previous view as a prefix, unless a compaction is declared', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, async (history, name, size) => {
        const session = createSession({ ...windowFor(size), layers: presets[name]() });
        let before: readonly Message[] = [];
        await live(session, history, (view, declared) => {
          expect(refusal(view, history)).toBeUndefined();
          if (!declared) expect(view.slice(0, before.length)).toEqual(before);
          before = view;
        });
      }),
      runs,
    );
  });

  it('every hidden message is reachable by its reference', () => {
    fc.assert(
      fc.property(histories(), preset, tokens, (history, name, size) => {
        const { ledger, view } = plan(history, emptyLedger, { budget: exactly(size), layers: presets[name]() });
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
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, async (history, name, size) => {
        const session = createSession({ ...windowFor(size), layers: presets[name]() });
        for (const message of history) session.append(message);
        await session.view();
        const before = viewNow(session);
        const receipt = await session.compact();
        if (receipt === undefined) return;
        session.undo();
        expect(viewNow(session)).toBe(before);
      }),
      runs,
    );
  });

  it('pinned messages stay whole, or the receipt says that they could not', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, fc.nat(), async (history, name, size, pick) => {
        const session = createSession({ ...windowFor(size), layers: presets[name]() });
        for (const message of history) session.append(message);
        const pinned = session.transcript()[pick % history.length]!;
        session.pin(pinned.id);
        const { messages } = await session.view();
        const bounded = session.receipts().flatMap((receipt) => receipt.pinsBounded);
        if (!bounded.includes(pinned.id)) expect(messages).toContainEqual(pinned);
      }),
      runs,
    );
  });
});

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
  JSON.stringify(plan(session.transcript(), session.ledger(), { budget: exactly(1_000_000), layers: [] }).view);
