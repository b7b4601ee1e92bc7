import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, graphemesOf, padEnd, padStart, textWidth, wrap, wrapExactly } from '../src/text-width.ts';

const texts = fc.string({
  unit: fc.constantFrom('a', ' ', '賞', '味', '한', 'é', 'e\u0301', '🎉', '👩‍👩‍👧', '…', 'Ａ'),
});

describe('the width of text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['賞味期限', 8],
    ['한국어', 6],
    ['e\u0301', 1],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['Ａ', 2],
    ['→ ✓ … ×', 7],
    ['✅', 2],
    ['✅ done', 7],
    ['❤️', 2],
    ['🇯🇵', 2],
    ['👨‍💻', 2],
    ['👍🏽', 2],
    ['1️⃣', 2],
    ['ハ\u3099', 2],
    ['a\u0301\u0323', 1],
    ['\u001b[31mred\u001b[39m', 3],
  ])('of %j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  it('is what padding brings it to, on either side', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (text, columns) => {
        for (const padded of [padEnd(text, columns), padStart(text, columns)])
          expect(textWidth(padded)).toBe(Math.max(columns, textWidth(text)));
      }),
    );
  });

  it('is never more than a text is clipped to', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(textWidth(clip(text, columns))).toBeLessThanOrEqual(columns);
        if (textWidth(text) <= columns) expect(clip(text, columns)).toBe(text);
      }),
    );
  });

  it('is kept to by wrapping, which loses no word', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 9, unit: fc.constantFrom('a', '賞') })), (words) => {
        const lines = wrap(words.join(' '), 20);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(20);
      }),
    );
  });

  it('is what clipping and wrapping go by, not the number of characters', () => {
    expect(clip('日本語テキスト', 7)).toBe('日本語…');
    expect(clip('✅✅✅', 5)).toBe('✅✅…');
    expect(clip('one two', 5)).toBe('one…');
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('goes by the same characters in slices as in one piece', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '賞',
      'e\u0301',
      '👩‍👩‍👧',
      '🇯🇵',
      '👍🏽',
      'ハ\u3099',
      '✅',
      '\u200d',
      '\u0301',
    );
    fc.assert(
      fc.property(fc.string({ unit, minLength: 200, maxLength: 900 }), (text) => {
        expect([...graphemesOf(text)]).toEqual([...segmenter.segment(text)].map(({ segment }) => segment));
      }),
      { numRuns: 60 },
    );
  });

  it('never parts what is one character to a reader', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 30 }), (times, columns) => {
        const family = '👩‍👩‍👧';
        expect(clip(family.repeat(times), columns).replaceAll(family, '')).toMatch(/^…?$/);
        expect(wrap(family.repeat(times), columns).join('').replaceAll(family, '')).toBe('');
      }),
    );
  });
});

describe('wrapped text', () => {
  it('fits, and has lost nothing but spaces at the ends of lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '\n', 'word ', 'é', '✅') }),
        fc.integer({ min: 8, max: 30 }),
        (text, columns) => {
          const lines = wrap(text, columns);
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
          expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        },
      ),
    );
  });

  it('keeps the indentation of a line, and the spaces behind its last word', () => {
    expect(wrap('    return one; ', 40)).toEqual(['    return one; ']);
    expect(wrap('  one two three ', 9)).toEqual(['  one two', 'three ']);
  });

  it('of a page without a space takes no time to speak of, whatever its letters', { timeout: 30_000 }, () => {
    expect(wrap('x'.repeat(100_000), 100)).toHaveLength(1_000);
    expect(wrap('日'.repeat(20_000), 100)).toHaveLength(400);
    expect(textWidth('日'.repeat(100_000))).toBe(200_000);
    expect(clip('日'.repeat(1_000_000), 5)).toBe('日日…');
  });
});

describe('rows of a line that must not lose a blank', () => {
  it('come to the line again, and fit', () => {
    const unit = fc.constantFrom('a', ' ', 'word ', '日', '👩‍👩‍👧', '    ', 'e\u0301');
    fc.assert(
      fc.property(fc.string({ unit }), fc.integer({ min: 8, max: 30 }), (line, columns) => {
        const rows = wrapExactly(line, columns);
        expect(rows.join('')).toBe(line);
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('end behind a space where there is one', () => {
    expect(wrapExactly('npm test -- --reporter=dot', 14)).toEqual(['npm test -- ', '--reporter=dot']);
  });
});
