import { describe, expect, it } from 'vitest';
import { newLetterPattern } from '../src/digest/read/letter-pattern.ts';

const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));

/** The units of which one that is read by a pattern for Latin letters, where it may be, is found differently than by one for all. */
function listDifferent(source: string, texts: readonly string[]): readonly string[] {
  const pattern = newLetterPattern(source);
  const all = new RegExp(source, 'u');
  return texts.filter((text) => pattern.test(text) !== all.test(text.toLowerCase()));
}

describe('a text in Latin letters is read as one of any script', () => {
  it.each(['^\\p{L}$', '^[\\p{L}\\p{N}]$', '(?<![\\p{L}\\p{N}])a(?!\\p{L})'])('%s', (source) => {
    expect(listDifferent(source, units)).toEqual([]);
    expect(
      listDifferent(
        source,
        units.flatMap((unit) => [`a${unit}`, `${unit}A`]),
      ),
    ).toEqual([]);
  });

  it('whatever the case', () => {
    const odd = ['µ', 'ſ', '\u212a', '\u212b', 'ß', 'ẞ', 'İ', 'ı', 'ǅ', 'Ÿ'];
    const letters = units.slice(0x61, 0x530).filter((unit) => /\p{Ll}/u.test(unit));
    for (const letter of letters)
      expect([letter, ...listDifferent(letter, [letter.toUpperCase(), letter.toLowerCase(), ...odd])]).toEqual([
        letter,
      ]);
  });

  it('whatever pictures stand in it', () => {
    const astral = Array.from({ length: 0x2000 }, (_, i) => String.fromCodePoint(0x1_f000 + i));
    expect(
      listDifferent(
        '(?<![\\p{L}\\p{N}])a(?![\\p{L}\\p{N}])',
        astral.flatMap((sign) => [`${sign}a`, `a${sign}`]),
      ),
    ).toEqual([]);
    expect(listDifferent('^a.{2}b.c$', ['a🎉🎉b🎉c', 'a🎉b🎉c', 'a🎉\ud83dbxc'])).toEqual([]);
  });

  it('and the same holds of texts beyond them', () => {
    const texts = ['请看 don’t', 'не трогай', '🎉 done', 'it’s — “done” … → ✓', 'größer als Ω'];
    expect(listDifferent("(?<!\\p{L})(?:don[’']?t|не|done|größer)(?!\\p{L})", texts)).toEqual([]);
  });
});
