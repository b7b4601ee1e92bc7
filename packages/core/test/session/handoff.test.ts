import { fastOrDeep, histories } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, estimateText, result, results, type Session, user } from '../../src/index.ts';
import { long } from '../texts.ts';

const RULE = 'Never touch db/migrations.';

function work(session: Session): void {
  session.append(user(`Find the slow query. ${RULE}`));
  for (let i = 0; i < 20; i++) {
    session.append(assistant([call(`c${i}`, 'read_file', { path: `src/orders/query-${i}.ts` })]));
    session.append(results([result(`c${i}`, `export const limit${i} = ${i};\n${long('line', 60)}`)]));
  }
  session.append(
    assistant([
      call('todo', 'todo_write', {
        todos: [
          { content: 'add an index on orders.customer_id', status: 'in_progress' },
          { content: 'measure again', status: 'pending' },
        ],
      }),
    ]),
  );
  session.append(results([result('todo', 'ok')]));
  session.append(
    assistant('The query in src/orders/query-7.ts scans the whole table, since customer_id has no index.'),
  );
  session.append(user('Add the index then, with DB_PASSWORD=Winter2024x'));
}

describe('a hand-off', () => {
  it('opens a fresh session: what was asked, what is forbidden, what is open, the files, and how to read more', () => {
    const session = createSession({ window: 50_000 });
    work(session);
    const recall = 'palimpsest recall shop.jsonl WORDS';
    const { text, messages } = session.handoff({ from: 'shop.jsonl', recall });
    expect(text.split('\n')[0]).toMatch(
      /^This session takes up the work of an earlier one \(shop\.jsonl\) of 45 messages\./,
    );
    for (const words of [RULE, 'Add the index then', 'measure again', 'src/orders', 'query-7.ts', recall])
      expect(text).toContain(words);
    expect(messages).toBe(45);
  });

  it('keeps secrets back, the same as a digest does', () => {
    const session = createSession({ window: 50_000 });
    work(session);
    expect(session.handoff().text).not.toContain('Winter2024x');
  });

  it('is the same at every call, whatever was compacted meanwhile, and records nothing', async () => {
    const session = createSession({ window: 50_000 });
    work(session);
    const before = session.handoff();
    await session.compact();
    const ledger = session.ledger();
    expect(session.handoff()).toEqual(before);
    expect(session.ledger()).toEqual(ledger);
  });

  it('takes along what the user wrote into the summary', async () => {
    const session = createSession({ window: 50_000 });
    work(session);
    await session.compact({ form: 'all' });
    await session.editSummary('The index is called orders_by_customer.');
    expect(session.handoff().text).toContain('The index is called orders_by_customer.');
  });

  it('keeps to its room, whatever was said', () => {
    fc.assert(
      fc.property(histories(), fc.integer({ min: 256, max: 3_000 }), (history, maxTokens) => {
        fc.pre(history.length > 0);
        const session = createSession({ window: 1_000_000, broken: 'mend' });
        for (const message of history) session.append(message);
        const { text, tokens } = session.handoff({ maxTokens, from: 'x.jsonl', recall: 'recall x.jsonl WORDS' });
        expect(tokens).toBe(estimateText(text));
        expect(tokens).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: fastOrDeep(100, 1_000) },
    );
  });

  it('needs something to hand off, and room for it', () => {
    const session = createSession({ window: 50_000 });
    expect(() => session.handoff()).toThrow(expect.objectContaining({ code: 'nothing-to-compact' }));
    work(session);
    expect(() => session.handoff({ maxTokens: 100 })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});
