import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type NewMessage,
  type PresetName,
  presets,
  type Receipt,
  reasoning,
  result,
  results,
  type Session,
  text,
  user,
} from '../../src/index.ts';
import { picture } from '../support/walks.ts';

const START = 1_700_000_000_000;
const MINUTE = 60_000;

/** A day of work as agents record it: turns of reads, searches, edits and tests, thoughts, a picture, a long pause. */
function* workday(): Generator<readonly NewMessage[]> {
  for (let i = 0; i < 90; i++) {
    const path = `src/module-${i % 7}/part-${i % 3}.ts`;
    if (i % 9 === 0)
      yield [
        user(
          i === 18
            ? [text('This is how it should look.'), picture('sketch.png')]
            : `Go on with part ${i}, and keep rule ${i} in mind.`,
        ),
      ];
    if (i % 4 === 1)
      yield [
        assistant([
          reasoning(`Both are needed for part ${i}.`, `sig-${i}`),
          call(`p${i}`, 'read', { path }),
          call(`q${i}`, 'grep', { pattern: `part${i % 3}` }),
        ]),
        results([result(`p${i}`, `export const part = ${i % 3};\n${'// a line of the body\n'.repeat(40)}`)]),
        results([result(`q${i}`, `${path}:3: part${i % 3}\n`.repeat(20))]),
      ];
    else if (i % 4 === 3)
      yield [
        assistant([call(`w${i}`, 'edit', { path, old_string: `part = ${i % 3}`, new_string: `part = ${i}` })]),
        results([result(`w${i}`, 'ok')]),
      ];
    else
      yield [
        assistant([call(`b${i}`, 'bash', { command: `npm test -- ${i}` })]),
        results([
          result(`b${i}`, `${`ok ${i} a test that passes\n`.repeat(i % 10 === 0 ? 900 : 60)}all but ${i % 5} passed`),
        ]),
      ];
    if (i % 9 === 8) yield [assistant(`Part ${i} is done.`)];
  }
}

const told = ({ walk, tokensBefore, tokensAfter, declared, lines, reason }: Receipt): readonly string[] => [
  `  walk ${walk}: ${tokensBefore} -> ${tokensAfter}${declared ? '' : ', nothing shown before is changed'}${reason === undefined ? '' : ` (${reason})`}`,
  ...lines.map(
    ({ layer, kind, tool, count, bytes, refs }) =>
      `    ${layer}: ${count} ${kind}${tool === undefined ? '' : ` of ${tool}`}, ${bytes} bytes, ${refs.length === 1 ? refs[0] : `${refs[0]} to ${refs.at(-1)}`}`,
  ),
];

async function liveThrough(session: Session): Promise<readonly string[]> {
  const lines: string[] = [];
  let at = START;
  let step = 0;
  for (const messages of workday()) {
    // After the sixtieth step somebody goes home for the night.
    at += step++ === 60 ? 12 * 60 * MINUTE : MINUTE / 2;
    for (const message of messages) session.append({ ...message, at });
    const { receipt } = await session.view({ now: at + 1_000 });
    if (receipt !== undefined) lines.push(...told(receipt));
  }
  const { tokens, messages } = session.status();
  return [...lines, `  at the end: ${messages} messages, ${tokens} tokens`];
}

describe('every preset', () => {
  it('does to a long live session what it did before (golden)', async () => {
    const pages: string[] = [];
    for (const name of Object.keys(presets) as PresetName[]) {
      const session = createSession({ window: 20_000, maxOutput: 1_000, layers: presets[name]() });
      pages.push(`${name}\n${(await liveThrough(session)).join('\n')}`);
    }
    await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot('../goldens/live-walks.txt');
  });
});
