import { describe, expect, it } from 'vitest';
import { assistant, createSession, estimateText, presets, user } from '../../src/index.ts';
import { scripted, summaryFor } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

describe('a summary that was paid for', () => {
  const shapes = [3, 4, 8, 20].flatMap((turns) => [40, 100].map((words) => [turns, words] as const));

  // `lean` leaves so little that in the smallest of these conversations no summary is asked for.
  it.each((Object.keys(presets) as (keyof typeof presets)[]).filter((name) => name !== 'lean'))(
    'is used, however small the conversation that overflows, and whatever share of its room it takes (%s)',
    async (name) => {
      for (const [turns, words] of shapes)
        for (const share of [0.3, 0.9]) {
          const summarizer = scripted((request) => {
            const asked = textOf(request.messages.slice(-1));
            const room = Number(/may have (\d+) tokens at most/.exec(asked)![1]);
            const empty = summaryFor(request);
            const each = Math.floor((room * share - estimateText(empty)) / empty.split('\n-').length);
            return {
              text: summaryFor(request).replaceAll(/^-$/gm, `- told ${'word '.repeat(Math.max(0, each - 3))}`),
              stop: 'end',
            };
          });
          const session = createSession({
            window: 100_000,
            layers: presets[name](),
            ports: { summarizer },
            drafts: false,
          });
          for (let i = 0; i < turns; i++) {
            session.append(user(i === 0 ? 'Do 0' : `Do ${i} ${long('this', words)}`));
            session.append(assistant(`Done ${i} ${long('so', words)}`));
          }
          session.append(user('go on'));
          const { tokens } = await session.view();
          const smaller = await session.overflowed();
          expect(smaller.tokens).toBeLessThan(tokens);
          expect(summarizer.requests).toHaveLength(1);
          expect(session.receipts()[0]!.summary).toMatchObject({ by: 'model' });
          expect(textOf(smaller.messages)).toMatch(/- (?:\[s1\] )?told/);
        }
    },
  );

  it('of 8,812 tokens is not refused at 200,000, by any preset', async () => {
    for (const name of ['default', 'claude-code'] as const) {
      const summarizer = scripted(
        (request) => {
          const text = summaryFor(request).replaceAll(/^-$/gm, (_, at) => `- ${at} ${'that matters '.repeat(800)}`);
          return { text, stop: 'end' };
        },
        { window: 200_000 },
      );
      const session = createSession({
        window: 200_000,
        maxOutput: 20_000,
        layers: presets[name](),
        ports: { summarizer },
        drafts: false,
      });
      for (let i = 0; i < 30; i++) {
        session.append(user(`Do ${i} ${long('this', 400)}`));
        session.append(assistant(`Done ${i} ${long('so', 400)}`));
      }
      const receipt = await session.compact();
      expect(
        estimateText(
          session
            .ledger()
            .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
            .flatMap((edit) => (edit.type === 'fold' ? (edit.summary?.narrative ?? '') : []))
            .join(''),
        ),
      ).toBeGreaterThan(8_000);
      expect(summarizer.requests).toHaveLength(1);
      expect(receipt!.summary).toMatchObject({ by: 'model', calls: 1 });
    }
  });
});
