import { describe, expect, it } from 'vitest';
import {
  assistant,
  capResults,
  clearIdleResults,
  clearOldResults,
  createSession,
  type JournalRecord,
  type Layer,
  type NewMessage,
  type Session,
  stashLargeResults,
  user,
} from '../../src/index.ts';
import { bodies, round } from '../support/walks.ts';

/** As a journal would have kept it. */
const toRecords = (session: Session): readonly JournalRecord[] => [
  ...session.transcript().map((message): JournalRecord => ({ v: 1, type: 'message', message })),
  ...session.ledger().entries.map((entry): JournalRecord => ({ v: 1, type: 'entry', entry })),
];

describe('a result that a layer cut', () => {
  it('CC45: what was capped or stashed once is cleared later, its references hold and undo is exact', async () => {
    const big = 'row of output\n'.repeat(2_900);
    const rules: readonly [layer: Layer, at?: number][] = [
      [clearOldResults({ mode: 'count', keep: 1 })],
      [clearIdleResults({ keep: 1 }), 9_000_000],
      [clearOldResults({ mode: 'prune', protectTurns: 1, protectTokens: 10, minimumTokens: 10, when: 'batch' })],
    ];
    for (const [layer, now = 1_001] of rules) {
      const layers = [capResults(), stashLargeResults({ overChars: 50_000 }), layer];
      const session = createSession({ window: 2_000_000, layers });
      const say = (messages: readonly NewMessage[]): void => {
        for (const message of messages) session.append({ ...message, at: 1_000 });
      };
      say([user('go'), ...round('a', 'bash', { command: 'a' }, big), assistant('seen')]);
      const before = await session.view({ now: 1_001 });
      expect(bodies(before.messages)[0]).toContain('characters cut; recall e1');
      say([user('more'), ...round('b', 'bash', { command: 'b' }, big), assistant('seen'), user('and now')]);
      const after = await session.view({ now });
      expect(bodies(after.messages)[0], layer.name).toMatch(/^\[bash result cleared; recall e\d\]$/);
      for (const { lines } of session.receipts())
        for (const line of lines) for (const ref of line.refs) expect(session.recall.read(ref).text).toBe(big);
      session.undo();
      expect(bodies(session.recall.read('e1').messages)[0]).toBe(big);
      const undone = createSession({ window: 2_000_000, layers: [], records: toRecords(session) });
      expect(bodies((await undone.view()).messages)[0]).toBe(bodies(before.messages)[0]);
    }
  });
});
