import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wantsColour } from '../src/terminal.ts';
import { clip, oneLine, padEnd, padStart, textWidth, wrap } from '../src/text-width.ts';

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
        const lines = wrap(words, 20);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(20);
      }),
    );
  });
});

it('words of others come on one line, without anything that a terminal obeys', () => {
  expect(oneLine('a\u001b[31m\n\tb\u202e c')).toBe('a [31m b c');
});

describe('colour', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ CI: 'true' }, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ])('with %j, terminal %s: %s', (env, isTerminal, wanted) => {
    expect(wantsColour(env, isTerminal)).toBe(wanted);
  });
});
