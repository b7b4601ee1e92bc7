import { histories, refusal } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession, type JournalRecord, type NewMessage, type Session, user } from '../src/index.ts';
import { bad, good } from './summarizers.ts';

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

/** What the view shows itself, and what its folds stand for, by the transcript's own ids. */
function accounted(session: Session, shown: readonly { id: string; standsFor?: { from: string; to: string } }[]) {
  const ids = session.transcript().map((message) => message.id);
  const place = new Map(ids.map((id, i) => [id, i]));
  const kept = shown.map((message) => message.id.replace(/\/words$/, '')).filter((id) => place.has(id));
  const gone = session.ledger().entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : []));
  const hidden = new Set<string>();
  for (const entry of session.ledger().entries) {
    if (entry.type !== 'edits' || gone.includes(entry.walk)) continue;
    for (const edit of entry.edits)
      if (edit.type === 'fold') for (const message of session.recall.read(edit.ref).messages) hidden.add(message.id);
  }
  return { ids, kept, hidden };
}

describe('nothing is lost and nothing is there twice', () => {
  it.each(['none', 'good', 'bad'] as const)(
    'C2 {summarized} ∪ {kept} is everything and disjoint, over any sequence of append, compact, undo, overflow, resume (%s summarizer)',
    async (which) => {
      const options = () => ({
        window: 6_000,
        maxOutput: 200,
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
            const { ids, kept, hidden } = accounted(session, messages);
            expect(new Set(kept).size).toBe(kept.length);
            for (const id of ids) expect(kept.includes(id) || hidden.has(id)).toBe(true);
          }
        }),
        { numRuns: 300 },
      );
    },
  );
});
