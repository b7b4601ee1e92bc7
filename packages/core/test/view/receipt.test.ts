import { describe, expect, it } from 'vitest';
import { createSession, user } from '../../src/index.ts';
import { round } from '../support/walks.ts';
import { textOf } from '../texts.ts';

describe('receipts', () => {
  it('count what was hidden once, however often it is folded again, and a notice names all that it stands for', async () => {
    const session = createSession({ window: 12_000, maxOutput: 200 });
    session.append(user('start'));
    for (let i = 0; i < 120; i++) {
      for (const message of round(`c${i}`, 'mcp__lab__probe', { i }, `value ${i} ${'steady '.repeat(60)}`))
        session.append(message);
      if (i === 20) session.pin(session.append(user('pinned words')));
      if (i % 10 === 0) await session.view();
    }
    const hidden = session
      .receipts()
      .flatMap((receipt) => receipt.lines)
      .filter((line) => line.kind === 'messages')
      .reduce((sum, line) => sum + line.count, 0);
    const { messages } = await session.view();
    expect(hidden).toBeLessThanOrEqual(session.transcript().length);
    // What the view names is enough to read everything that it does not show.
    const reached = new Set(messages.map((message) => message.id));
    for (const [, ref] of textOf(messages).matchAll(/recall (e\d+(?: to e\d+)?)/g))
      for (const message of session.recall.read(ref!).messages) reached.add(message.id);
    expect(session.transcript().filter((message) => !reached.has(message.id))).toEqual([]);
  });
});
