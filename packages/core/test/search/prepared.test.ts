import { afterEveryStep } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { createSession, type NewMessage, user } from '../../src/index.ts';

const history = Array.from(
  { length: 200 },
  (_, i): NewMessage => user(`Note ${i}: the port of host${i} is 8${i}.`, `n${i}`),
);

/** A session whose loop is due behind every step, with what happens at each turn. */
function openSession(onTurn: (turn: number) => void = () => {}) {
  const loop = afterEveryStep(onTurn);
  const session = createSession({ window: 100_000, ports: { loop } });
  for (const message of history) session.append(message);
  return { session, loop };
}

const askFor = (session: ReturnType<typeof openSession>['session'], query: string) =>
  session.recall.search(query, 3).map(({ text }) => text);

it('a search is prepared in steps, between which others have their turn, and finds the same', async () => {
  const { session, loop } = openSession();
  await session.recall.prepare();
  expect(loop.turns).toBeGreaterThanOrEqual(history.length / 8);
  expect(askFor(session, 'port of host77')).toEqual(askFor(openSession().session, 'port of host77'));
  // What was read is not read again.
  const { turns } = loop;
  await session.recall.prepare();
  expect(loop.turns).toBe(turns);
});

it('whoever searches or speaks in the middle of it is served, and is in it', async () => {
  const { session } = openSession((turn) => {
    if (turn === 4) expect(askFor(session, 'port of host150')[0]).toContain('host150');
    if (turn === 2) session.append(user('Late: the port of hostLate is 9999.', 'late'));
  });
  await Promise.all([session.recall.prepare(), session.recall.prepare()]);
  const found = session.recall.search('port of hostLate', 3);
  expect(found[0]?.message.id).toBe('late');
  // Nothing was read twice.
  expect(session.recall.search('hostLate').filter(({ message }) => message.id === 'late')).toHaveLength(1);
});
