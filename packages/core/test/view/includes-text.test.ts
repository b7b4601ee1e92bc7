import { describe, expect, it } from 'vitest';
import { includesText } from '../../src/view/includes-text.ts';

describe('a long text in a longer one', () => {
  it('is found where it is, and nowhere else', () => {
    let seed = 1;
    const roll = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const make = (chars: number): string => Array.from({ length: chars }, () => 'ab'[roll(50) === 0 ? 1 : 0]).join('');
    let found = 0;
    for (let n = 0; n < 400; n++) {
      const whole = make(1_200);
      const from = roll(800);
      const cut = whole.slice(from, from + 257 + roll(100));
      const text = roll(2) === 0 ? cut : `${cut.slice(0, -1)}${cut.endsWith('a') ? 'b' : 'a'}`;
      expect(includesText(whole, text)).toBe(whole.includes(text));
      if (whole.includes(text)) found++;
    }
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(400);
  });

  it('of the same character over and over does not take for ever', () => {
    const many = 'x'.repeat(500_000);
    expect(includesText(`${many}y${many}`, `y${'x'.repeat(499_999)}z`)).toBe(false);
    expect(includesText(`${many}y${many}`, `${many.slice(1)}xx`)).toBe(false);
    expect(includesText(`${many}y${many}`, `x${'x'.repeat(400_000)}y`)).toBe(true);
  });
});
