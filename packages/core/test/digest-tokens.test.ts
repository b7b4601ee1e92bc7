import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLeast } from '../src/digest/evidence/find-least.ts';
import { findValues, valuePattern } from '../src/digest/evidence/find-values.ts';
import { rankIdentifiers } from '../src/digest/evidence/rank-identifiers.ts';
import { identifierKind, scanIdentifiers } from '../src/digest/evidence/scan-identifiers.ts';
import { hashToken, nextToken, startScan, tokenPattern } from '../src/digest/evidence/scan-tokens.ts';
import { cutStatement, moveBounds, startBounds } from '../src/digest/read/find-statement.ts';
import { newIdentifierTally } from '../src/digest/read/identifier-tally.ts';

const signs = ['-', '.', '/', ':', '@', '+', '~', '$', '_', ' ', '\n', '>', '"', 'é', '中'];
const texts = fc
  .array(fc.constantFrom('a', 'ab', 'B', 'xY', '1', '2f', '00', 'word', 'http', ...signs, ...signs), { maxLength: 24 })
  .map((some) => some.join(''));
const codes = fc
  .array(fc.constantFrom('A', 'BC', '7', '12', '34567', 'f', 'e0', '0x', 'q', '-', '-', '.', ':', ' ', '_', '='), {
    maxLength: 16,
  })
  .map((some) => some.join(''));
const runs = { numRuns: fastOrDeep(5_000, 100_000) };

describe('a text is read fast and as it is defined', () => {
  it('the scanner finds the identifiers that the pattern finds', () => {
    const pattern = new RegExp(tokenPattern.source, 'g');
    const read = (text: string): readonly string[] =>
      [...text.matchAll(pattern)].flatMap(({ 0: token, index }) => {
        const found = token.replace(/[.:,;+\-$]+$/, '');
        return identifierKind(found) === undefined ? [] : [`${found} ${index} ${index + token.length}`];
      });
    fc.assert(
      fc.property(texts, (text) => {
        const found: string[] = [];
        const scan = startScan(text);
        while (nextToken(scan)) {
          const token = text.slice(scan.start, scan.end);
          expect(scan.hash).toBe(hashToken(token, 0, token.length));
          if (identifierKind(token) !== undefined) found.push(`${token} ${scan.start} ${scan.behind}`);
        }
        expect(found).toEqual(read(text));
      }),
      runs,
    );
  });

  it('a scan may stand within another', () => {
    const found: string[] = [];
    scanIdentifiers('src/a.ts src/b.ts', (one) => {
      scanIdentifiers('lib/c.ts lib/d.ts', () => {});
      found.push(one);
    });
    expect(found).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('where a statement stands does not hang on where the one before it does', () => {
    const words = fc.constantFrom(
      'a_name ',
      'word ',
      'x.y.z ',
      'end. ',
      'what? ',
      '、。',
      '\n',
      'w'.repeat(90),
      ' '.repeat(30),
    );
    const pages = fc.array(words, { maxLength: 40 }).map((some) => some.join(''));
    fc.assert(
      fc.property(pages, fc.boolean(), (text, isProse) => {
        const bounds = startBounds();
        scanIdentifiers(text, (_, __, index) => {
          if (index < bounds.end) return;
          moveBounds(bounds, text, index, isProse);
          const alone = startBounds();
          moveBounds(alone, text, index, isProse);
          expect(bounds).toEqual(alone);
          expect(text.slice(bounds.lineStart, bounds.lineEnd)).not.toContain('\n');
          expect(bounds.start <= index && index < bounds.end).toBe(true);
        });
      }),
      runs,
    );
  });

  it('a statement is shown trimmed, with single blanks, without its number or its bullet, and known by its hash', () => {
    const blanks = ['\t', '\u00a0', '\u2003', '\u200b', '\u3000', '\ufeff', ' ', '  ', '\r'];
    const words = fc.constantFrom(
      '- ',
      '* ',
      '• ',
      '12→',
      '34: ',
      '5:6',
      'a',
      'b-1',
      'c:2',
      '48211',
      'A-12-B7',
      '中',
      'é',
      ...blanks,
    );
    const lines = fc.array(words, { maxLength: 12 }).map((some) => some.join(''));
    fc.assert(
      fc.property(lines, fc.boolean(), fc.boolean(), (line, isProse, isInner) => {
        if (line.trim() === '') return;
        const text = isInner ? `x_y\n${line}\nz_y` : line;
        const start = isInner ? 4 : 0;
        const shown = { text: '', hash: 0, mayHavePlace: false, mayHoldValue: false };
        cutStatement(shown, text, { ...startBounds(), start, end: start + line.length }, isProse);
        const bare = line.trim().replace(/^\d+(?:[→|│\t]|:(?!\d))\s*/, '');
        const tidy = bare.replace(/\s+/g, ' ');
        expect(shown.text).toBe(isProse ? tidy.replace(/^(?:[-*•>#]+ )+/, '') : tidy);
        expect(shown.hash).toBe(hashToken(shown.text, 0, shown.text.length));
        if (/[:-]\d/.test(shown.text)) expect(shown.mayHavePlace).toBe(true);
        if (valuePattern.test(shown.text)) expect(shown.mayHoldValue).toBe(true);
        valuePattern.lastIndex = 0;
      }),
      runs,
    );
  });

  it('what is a blank to a pattern is one to a statement, and nothing else', () => {
    const shown = { text: '', hash: 0, mayHavePlace: false, mayHoldValue: false };
    for (let code = 0; code < 0x1_0000; code++) {
      const text = `${String.fromCharCode(code)}name${String.fromCharCode(code)}`;
      cutStatement(shown, text, { ...startBounds(), end: text.length }, false);
      if (shown.text !== (/\s/.test(text) ? 'name' : text)) expect.fail(`unit ${code}: ${shown.text}`);
    }
  });

  it('values are found in every statement in which the pattern finds some', () => {
    fc.assert(
      fc.property(codes, (text) => {
        const found = findValues({ text, source: 'shown', about: '', at: 0 }).map(({ value }) => value);
        expect(found).toEqual(Array.from(text.matchAll(valuePattern), ([value]) => value));
      }),
      runs,
    );
  });
});

describe('the worthiest are picked without sorting all', () => {
  it('those above the least, and so many of its equals', () => {
    const worths = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });
    fc.assert(
      fc.property(worths, fc.integer({ min: 1, max: 30 }), (all, most) => {
        const { least, ties } = findLeast(Float64Array.from(all), most);
        const picked = [...all.filter((one) => one > least), ...all.filter((one) => one === least).slice(0, ties)];
        const falling = [...all].sort((a, b) => b - a);
        expect(picked.sort((a, b) => b - a)).toEqual(falling.slice(0, most));
      }),
    );
  });

  it('identifiers are those that the ranking has first', () => {
    const counts = { inWords: 0, inCalls: 0, inWritten: 0, inSaid: 0, inResults: 1, inErrors: 0, first: 0, used: -1 };
    const names = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 16 });
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 16 }), (letters, ages, most) => {
        const all = letters.map((letter, i) => ({
          ...counts,
          identifier: `${letter}_name`,
          kind: 'name' as const,
          last: (i * ages) % 3,
        }));
        const ranked = new Set(rankIdentifiers(all, 10, most).map(({ identifier }) => identifier));
        const tally = newIdentifierTally(all, 10);
        tally.prune(0, most);
        expect(tally.toEvidence()).toEqual(all.filter(({ identifier }) => ranked.has(identifier)));
      }),
    );
  });
});
