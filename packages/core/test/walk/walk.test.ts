import { describe, expect, it } from 'vitest';
import { assistant, budget, presets, user } from '../../src/index.ts';
import { round, walkWith } from '../support/walks.ts';

describe('the walk', () => {
  it('does to a fixed history what it did before (golden)', async () => {
    const history = [
      user('Fix the date parser, and never touch migrations/.'),
      ...Array.from({ length: 14 }, (_, i) => [
        ...round(
          `r${i}`,
          'read',
          { path: `src/file-${i % 5}.ts` },
          `export const n${i % 5} = ${i % 5};\n${'// body\n'.repeat(120)}`,
        ),
        ...round(`b${i}`, 'bash', { command: `npm test -- ${i}` }, `${'ok line\n'.repeat(900)}FAIL ${i}`),
        ...(i % 4 === 0 ? [assistant(`Step ${i} is done.`), user(`Go on with step ${i + 1}.`)] : []),
      ]).flat(),
    ];
    const lines = Object.entries(presets).map(([name, preset]) => {
      const made = walkWith(history, preset(), {
        budget: budget({ window: 12_000, maxOutput: 1_000 }),
      });
      const steps = made.visits
        .filter((visit) => visit.edits > 0)
        .map((visit) => `  ${visit.layer}: ${visit.edits} edits, ${visit.tokensBefore} -> ${visit.tokensAfter}`);
      return [`${name}: ${made.view.length} messages, ${made.tokens} tokens`, ...steps].join('\n');
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/walk.txt');
  });
});
