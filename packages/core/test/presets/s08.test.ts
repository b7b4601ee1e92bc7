import { expect, it } from 'vitest';
import { assistant, createSession, presets, type Session, type SessionOptions, user } from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { bodies, layersIn, round, walkWith } from '../support/walks.ts';
import { long } from '../texts.ts';

const setUp = (options: Partial<SessionOptions> = {}): Session =>
  createSession({ window: 200_000, layers: presets.s08(), drafts: false, ...options });
const read = (session: Session, n: number, words = 200): void => {
  for (const message of round(`f${n}`, 'read_file', { path: `file-${n}.md` }, long(`line of file ${n}`, words)))
    session.append(message);
};

it('s08: three stages without a model before each call, then a summary; cheap first: budget, snip, micro, auto', () => {
  const names = presets.s08().map(({ name }) => name);
  expect(names).toEqual([
    'stash-large-results',
    'snip-middle',
    'clear-old-results',
    'shorten-pastes',
    'summarize-history',
    'drop-oldest-rounds',
  ]);
});

it('s08: a summary is asked for only where the cheap stages left the view over the threshold', async () => {
  const summarizer = good();
  const session = setUp({ trigger: { tokens: 6_000 }, ports: { summarizer } });
  session.append(user('read them all'));
  for (let n = 0; n < 12; n++) {
    read(session, n);
    await session.view();
  }
  expect(session.receipts().flatMap(({ lines }) => lines.map(({ layer }) => layer))).toContain('clear-old-results');
  expect(summarizer.requests).toEqual([]);
  read(session, 12, 2_000);
  await session.view();
  expect(summarizer.requests).toHaveLength(1);
});

it('s08: the threshold is a setting, and size is estimated by characters where no provider has reported', async () => {
  for (const tokens of [2_000, 4_000]) {
    const session = setUp({ trigger: { tokens }, count: ({ parts }) => JSON.stringify(parts).length / 4 });
    let largest = 0;
    for (let i = 0; i < 40; i++) {
      session.append(i % 2 === 0 ? user(long('ask', 160)) : assistant(long('say', 160)));
      largest = Math.max(largest, (await session.view()).tokens);
    }
    expect(largest).toBeLessThan(tokens);
    expect(largest).toBeGreaterThan(tokens * 0.9);
  }
});

it('s08: full texts are saved before old results give way to placeholders', () => {
  const history = [
    user('go'),
    ...Array.from({ length: 4 }, (_, i) => round(`a${i}`, 'bash', { command: `${i}` }, long('old', 90))).flat(),
    ...round('d', 'mcp__db__dump', {}, 'x'.repeat(250_000)),
  ];
  const made = walkWith(history, presets.s08());
  expect(layersIn(made)).toEqual(['stash-large-results', 'clear-old-results']);
  expect(bodies(made.view).map((body) => body.slice(0, 9))).toEqual([
    '[bash res',
    '[bash res',
    'old old o',
    'old old o',
    '<stashed-',
  ]);
});
