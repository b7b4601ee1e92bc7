import { fastOrDeep, histories, refusal } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession, type JournalRecord, type Message, type NewMessage, type Session, user } from '../src/index.ts';
import { bad, good } from './summarizers.ts';
import { askingLayers } from './support/asking-layers.ts';

type Act =
  | { readonly type: 'append'; readonly messages: readonly NewMessage[] }
  | { readonly type: 'all' | 'up-to' | 'from' | 'undo' | 'overflow' | 'resume' | 'view' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: histories(3).map((messages) => ({ type: 'append' as const, messages })) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Act>(
      { type: 'all' },
      { type: 'up-to' },
      { type: 'from' },
      { type: 'undo' },
      { type: 'overflow' },
      { type: 'resume' },
      { type: 'view' },
    ),
  },
);

/**
 * What the view shows of the transcript, and what the folds that stand hide of it, message by message, each by its own source:
 * the messages that were handed out, and the ledger. A summary may stand for a range in which messages stay; its folds do not hide those.
 */
function accountFor(session: Session, view: readonly Message[]) {
  const ids = session.transcript().map((message) => message.id);
  const kept = view.map((message) => message.id).filter((id) => ids.includes(id));
  const { entries } = session.ledger();
  const reverted = new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));
  const hidden = new Set<string>();
  const unreadable: string[] = [];
  for (const entry of entries) {
    if (entry.type !== 'edits' || reverted.has(entry.walk)) continue;
    for (const edit of entry.edits) {
      if (edit.type !== 'fold') continue;
      const own = ids.slice(ids.indexOf(edit.from), ids.indexOf(edit.to) + 1);
      const read = new Set(session.recall.read(edit.ref).messages.map(({ id }) => id));
      for (const id of own) hidden.add(id);
      unreadable.push(...own.filter((id) => !read.has(id)));
    }
  }
  return { ids, kept, hidden, unreadable };
}

describe('nothing is lost and nothing is there twice', () => {
  it.each(['none', 'good', 'bad'] as const)(
    'C2 {summarized} ∪ {kept} is everything and disjoint, over any sequence of append, compact, undo, overflow, resume (%s summarizer)',
    async (which) => {
      const options = () => ({
        window: 6_000,
        maxOutput: 200,
        layers: askingLayers(),
        broken: 'mend' as const,
        overflowTries: 3,
        drafts: false,
        ports: which === 'none' ? {} : { summarizer: which === 'good' ? good() : bad['returns nothing']!() },
      });
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (acts) => {
          const records: JournalRecord[] = [];
          const journal = {
            append: async (more: readonly JournalRecord[]) => void records.push(...more),
            close: async () => {},
          };
          let session = createSession({ ...options(), journal });
          session.append(user('the first words'));
          for (const one of acts) {
            if (one.type === 'append') for (const message of one.messages) session.append(message);
            else if (one.type === 'undo') {
              if (session.receipts().length > 0) session.undo();
            } else if (one.type === 'overflow') {
              await session.view();
              await session.overflowed().catch((error) => expect(error.code).toBe('cannot-reduce'));
              session.observe({ input: session.status().tokens });
            } else if (one.type === 'resume') {
              await session.view();
              await session.saved();
              session = createSession({ ...options(), journal, records: JSON.parse(JSON.stringify(records)) });
            } else if (one.type !== 'view') {
              const at = session.transcript()[Math.floor(session.transcript().length / 2)]!.id;
              await session.compact({ form: one.type, ...(one.type === 'from' ? { at } : {}) });
            }
            const { messages } = await session.view();
            expect(refusal(messages, session.transcript())).toBeUndefined();
            const { ids, kept, hidden, unreadable } = accountFor(session, messages);
            // Nothing is there twice, nothing is both kept and summarized, and together they are everything, in order.
            expect(kept.filter((id) => hidden.has(id))).toEqual([]);
            expect(kept).toEqual(ids.filter((id) => !hidden.has(id)));
            expect(unreadable).toEqual([]);
          }
        }),
        { numRuns: fastOrDeep(300, 1_500) },
      );
    },
  );
});
