import { expect, it } from 'vitest';
import { assistant, call, createSession, partText, presets, result, results, user } from '../../src/index.ts';

const lines = (from: number): string =>
  Array.from({ length: 120 }, (_, i) => `export const older${from + i}Name = makeOlder${from + i}();`).join('\n');

/** How often the summary of a session says the names that were last read, where the messages that stay show this. */
async function countTold(tail: string): Promise<number> {
  const session = createSession({ window: 16_000, layers: presets.default() });
  session.append(user('Look at the older names.'));
  for (let i = 0; i < 12; i++) {
    session.append(assistant([call(`c${i}`, 'Read', { file_path: `/app/src/f${i}.ts` })]));
    session.append(results([result(`c${i}`, lines(120 * i))]));
  }
  session.append(user('Now use them.'));
  session.append(assistant([call('last', 'Read', { file_path: '/app/src/use.ts' })]));
  session.append(results([result('last', tail)]));
  await session.compact();
  const { messages } = await session.view();
  const said = messages.map(({ parts }) => parts.map(partText).join('\n'));
  const at = messages.findIndex(({ origin }) => origin === 'palimpsest');
  const [summary = '', ...kept] = said.slice(at);
  expect(kept.join('\n')).toContain(tail);
  expect(summary).toContain('older');
  return summary.match(/\bolder1(?:3[2-9]|4\d)\dName/g)?.length ?? 0;
}

it('the evidence of a summary leaves to the messages that stay what these show', async () => {
  const others = await countTold(Array.from({ length: 120 }, (_, i) => `use(youngName${i});`).join('\n'));
  const same = await countTold(lines(1_320));
  expect(others).toBeGreaterThan(10);
  expect(same).toBe(0);
});
