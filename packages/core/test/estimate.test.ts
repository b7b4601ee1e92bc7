import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { estimateText } from '../src/size/estimate-message.ts';
import { LENGTHS, type Sample, samples } from './samples.ts';

/** The real count. Sliced, because the tokenizer is quadratic on unbroken runs; special tokens are plain text here. */
function exact(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 2_048) {
    tokens += countTokens(text.slice(at, at + 2_048), { disallowedSpecial: new Set() });
  }
  return tokens;
}

const ratioOf = ({ text }: Sample): number => estimateText(text) / exact(text);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'aZé9 \n\t\r.=(\'"\\_日あ한яא😀─\ufe0f\ud800\udc00\u0301'), maxLength: 60 }),
  fc.constantFrom(...samples(200).map((sample) => sample.text)),
);

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(LENGTHS)('at %i characters', (length) => {
  let measured: (Sample & { readonly ratio: number })[] = [];
  beforeAll(() => {
    measured = samples(length, length).map((sample) => ({ ...sample, ratio: ratioOf(sample) }));
  });

  it('A5 the estimate of every sample is never below 0.7 nor above 1.6 of the real count', () => {
    const outside = measured.filter(({ ratio }) => !(ratio >= 0.7 && ratio <= 1.6));
    expect(outside.map(({ name, ratio }) => `${name}: ${ratio.toFixed(2)}`)).toEqual([]);
    expect(measured.length).toBeGreaterThan(250);
  });

  it('most samples of code, of tool output and of languages are within 15 % of the real count', () => {
    const share = (kinds: readonly Sample['kind'][]): number => {
      const chosen = measured.filter(({ kind }) => kinds.includes(kind));
      return chosen.filter(({ ratio }) => Math.abs(ratio - 1) <= 0.15).length / chosen.length;
    };
    expect(share(['code', 'generated'])).toBeGreaterThanOrEqual(0.85);
    expect(share(['language'])).toBeGreaterThanOrEqual(0.7);
  });
});

it('an empty text is no token, any other at least one', () => {
  expect(estimateText('')).toBe(0);
  fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => estimateText(text) >= 1));
});

it('every code point is counted, alone and inside a word', () => {
  const uncounted: number[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    if (!(estimateText(char) >= 1 && estimateText(`a${char}b`) >= 1)) uncounted.push(code);
  }
  expect(uncounted).toEqual([]);
});

it('the estimate is a whole number, and the same each time', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = estimateText(text);
      return Number.isSafeInteger(tokens) && tokens >= 0 && tokens === estimateText(text);
    }),
    { numRuns: 2_000 },
  );
});

it('two texts joined cost no more than both, but for the seam', () => {
  fc.assert(
    fc.property(anyText, anyText, (left, right) => {
      expect(estimateText(left + right)).toBeLessThanOrEqual(estimateText(left) + estimateText(right) + 5);
    }),
    { numRuns: 5_000 },
  );
});

it('a text costs no less than its beginning, but for the seam', () => {
  fc.assert(
    fc.property(anyText, anyText, (left, right) => {
      expect(estimateText(left + right)).toBeGreaterThanOrEqual(estimateText(left) - 2);
    }),
    { numRuns: 5_000 },
  );
});

it('a text ten times as long costs ten times as much, whatever it is', () => {
  for (const { name, text } of samples(2_000)) {
    const once = estimateText(`${text}\n`);
    const tenTimes = estimateText(`${text}\n`.repeat(10));
    expect(Math.abs(tenTimes / (10 * once) - 1), name).toBeLessThan(0.35);
  }
});

it('every character is looked at a bounded number of times, in runs of any kind', () => {
  const texts = samples(2_000).map((sample) => sample.text);
  const reads = vi.spyOn(String.prototype, 'charCodeAt');
  const readsOf = (text: string): number => {
    reads.mockClear();
    estimateText(text);
    return reads.mock.calls.length;
  };
  const most = Math.max(...texts.map((text) => readsOf(text) / text.length));
  reads.mockRestore();
  expect(most).toBeGreaterThanOrEqual(1);
  expect(most).toBeLessThanOrEqual(8);
});
