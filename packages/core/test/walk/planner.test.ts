import { describe, expect, it } from 'vitest';
import { emptyLedger } from '../../src/ledger/ledger.ts';
import { assistant, call, type NewMessage, result, results, text, user } from '../../src/message/message.ts';
import { budget } from '../../src/size/budget.ts';
import { estimateMessage } from '../../src/size/estimate-message.ts';
import { type Plan, plan } from '../../src/walk/plan.ts';
import { createPlanner } from '../../src/walk/planner.ts';

const WINDOW = 8_000;
const options = { budget: budget({ window: WINDOW }), lenient: true, canRecall: false };

/** Rounds of an agent that reads one file after the other. */
const rounds = (count: number): readonly (readonly NewMessage[])[] =>
  Array.from({ length: count }, (_, n) => [
    ...(n === 0 ? [user('Read every file. Never touch the migrations.')] : []),
    assistant([text(`Now ${n}.`), call(`c${n}`, 'read', { path: `f${n}` })]),
    results([result(`c${n}`, `line of file ${n}, value ${n * 7919}\n`.repeat(40))]),
  ]);

describe('a planner', () => {
  it('gives the very plans that plan() gives of the whole transcript', () => {
    const planner = createPlanner(emptyLedger, options);
    const all: NewMessage[] = [];
    let before: Plan | undefined;
    for (const more of rounds(60)) {
      all.push(...more);
      const made = planner.plan(more);
      expect(made).toEqual(plan(all, before?.ledger ?? emptyLedger, options));
      before = made;
    }
    expect(before!.ledger.entries.filter(({ type }) => type === 'edits').length).toBeGreaterThan(2);
  });

  it('counts every message once, and plan() again with each call', () => {
    const countAll = (work: (count: typeof estimateMessage) => void): number => {
      let counted = 0;
      work((message) => {
        counted++;
        return estimateMessage(message);
      });
      return counted;
    };
    const work = (length: number): number =>
      countAll((count) => {
        const planner = createPlanner(emptyLedger, { ...options, count });
        for (const more of rounds(length)) planner.plan(more);
      });
    const whole = countAll((count) => {
      const all: NewMessage[] = [];
      let ledger = emptyLedger;
      for (const more of rounds(50)) {
        all.push(...more);
        ({ ledger } = plan(all, ledger, { ...options, count }));
      }
    });
    expect(work(100) / work(50)).toBeLessThan(2.5);
    expect(work(200) / work(100)).toBeLessThan(2.5);
    expect(whole).toBeGreaterThan(work(50) * 5);
  });
});
