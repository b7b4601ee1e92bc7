import { describe, expect, it } from 'vitest';
import { isSaid, readSaid } from '../src/words/said.ts';

describe('what the user said', () => {
  it('is held word for word, but for spacing', () => {
    const said = readSaid('Never\n  touch the lexer.');
    expect(isSaid(said, ['He said: Never touch the lexer. Then he left.'])).toBe(true);
    expect(isSaid(said, ['Never touch a lexer.'])).toBe(false);
  });

  it('up to 2,000 characters is held whole', () => {
    const words = `Begin ${'and so on '.repeat(150)}end.`;
    expect(isSaid(readSaid(words), [`${words.slice(0, 700)} […] ${words.slice(-700)}`])).toBe(false);
  });

  it('of more characters is a paste, and held by its head and its tail in one text', () => {
    const words = Array.from({ length: 400 }, (_, i) => `line ${i}`).join(' ');
    const [head, tail] = [words.slice(0, 150), words.slice(-150)];
    expect(isSaid(readSaid(words), [`${head} […] ${tail}`])).toBe(true);
    expect(isSaid(readSaid(words), [head, tail])).toBe(false);
    expect(isSaid(readSaid(words), [head])).toBe(false);
  });
});
