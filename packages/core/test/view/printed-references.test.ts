import { fastOrDeep, histories } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  type NewMessage,
  type PresetName,
  partText,
  presets,
  type Session,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';

/** Every way in which a view names what recall reads: notices, marks of cuts, places behind a digest's lines. */
const PRINTED = /\brecall(?:="| )((?:e|m)\d+(?: to (?:e|m)\d+)?)|\[…? ?(e\d+) ?…?\]/g;

function readPrinted(session: Session, texts: readonly string[]): number {
  let read = 0;
  for (const text of texts)
    for (const [, named, short] of text.matchAll(PRINTED)) {
      const ref = named ?? short ?? '';
      expect(() => session.recall.read(ref), `${ref} in: ${text.slice(0, 200)}`).not.toThrow();
      read++;
    }
  return read;
}

const presetName = fc.constantFrom(...(Object.keys(presets) as PresetName[]));

describe('every reference that a view prints is read by recall', () => {
  it.each([
    ['by code alone', false],
    ['with a model that summarizes', true],
  ] as const)(
    'in every preset, with windows large and small, through compactions and refusals, %s',
    async (_, hasModel) => {
      let read = 0;
      await fc.assert(
        fc.asyncProperty(
          histories(30),
          presetName,
          fc.integer({ min: 1_000, max: 12_000 }),
          fc.array(fc.constantFrom('view', 'compact', 'refused'), { minLength: 1, maxLength: 4 }),
          async (history, name, window, acts) => {
            const session = createSession({
              window,
              maxOutput: 200,
              layers: askingLayers(name),
              ...(hasModel ? { ports: { summarizer: good({ window: 200_000 }) } } : {}),
            });
            const typed: readonly NewMessage[] = [user(`first: ${'a long paste of words. '.repeat(200)}`), ...history];
            const step = Math.ceil(typed.length / acts.length);
            for (const [i, act] of acts.entries()) {
              for (const message of typed.slice(i * step, (i + 1) * step)) session.append(message);
              if (act === 'compact') await session.compact().catch(() => undefined);
              if (act === 'refused') await session.overflowed().catch(() => undefined);
              const { messages, receipt } = await session.view();
              read += readPrinted(
                session,
                messages.flatMap(({ parts }) => parts.map(partText)),
              );
              for (const { refs } of receipt?.lines ?? []) for (const ref of refs) session.recall.read(ref);
            }
          },
        ),
        { numRuns: fastOrDeep(60, 1_000) },
      );
      expect(read).toBeGreaterThan(100);
    },
  );
});
