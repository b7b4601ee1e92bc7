import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepHead, keepTail } from '../src/cut-text.ts';

const HALF = /\p{Surrogate}/u;
const texts = fc.string({ unit: fc.constantFrom('a', '😀', 'é', '👩‍👩‍👧', '日', '\n') });

it('a cut leaves every pair whole, and takes no more than it has to', () => {
  fc.assert(
    fc.property(texts, fc.nat({ max: 40 }), (text, most) => {
      for (const kept of [keepHead(text, most), keepTail(text, most)]) {
        expect(kept).not.toMatch(HALF);
        expect(kept.length).toBeLessThanOrEqual(most);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1);
      }
      expect(text.startsWith(keepHead(text, most))).toBe(true);
      expect(text.endsWith(keepTail(text, most))).toBe(true);
    }),
  );
});

it('a text that fits is left as it is', () => {
  expect(keepHead('😀😀', 4)).toBe('😀😀');
  expect(keepHead('😀😀', 3)).toBe('😀');
  expect(keepTail('😀😀', 3)).toBe('😀');
  expect(keepTail('abc', 0)).toBe('');
});
