import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, stripControls, toScreenText } from '../src/printable.ts';

/** What a terminal would obey: control characters, and those that turn a line around. */
const OBEYED = /[\p{Control}\u2028-\u202e\u2066-\u2069]/u;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', ' ', '\n', '\t', '\r\n', '\u001b', '\u001b[2J', '\u009b31m', '\u0007', '\u202e', '✅'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('words of others', () => {
  it('come on one line, without anything that a terminal obeys', () => {
    expect(oneLine('a\u001b[31m\n\tb\u202e c')).toBe('a [31m b c');
  });

  it('keep emoji whole on one line', () => {
    expect(oneLine('👩‍👩‍👧 ❤️')).toBe('👩‍👩‍👧 ❤️');
  });

  it('keep their line ends and tabs in a pipe', () => {
    expect(stripControls('a\tb\r\nc\u001b[1md\u0000')).toBe('a\tb\nc[1md');
  });

  it('cannot move the cursor of a screen', () => {
    expect(toScreenText('\u0007a\u001b[2Jb\tc\r\nd\u009b31mef\u0000')).toBe('ab  c\ndef');
  });

  it('hold nothing that a terminal obeys, whatever they were', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(oneLine(text)).not.toMatch(OBEYED);
        expect(toScreenText(text).replaceAll('\n', '')).not.toMatch(OBEYED);
        expect(stripControls(text).replace(/[\n\t]/g, '')).not.toMatch(OBEYED);
      }),
    );
  });
});
