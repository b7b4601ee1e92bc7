import { findObeyed, HOSTILE_TEXTS } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jsonText,
  oneLine,
  spellText,
  splitBegun,
  stripColours,
  stripControls,
  toScreenText,
} from '../src/printable.ts';

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
    expect(stripColours('\u001b[2Jpush\u0007 \u001b]8;;u\u0007it\u001b]8;;\u001b\\ \u001b]0;open')).toBe(
      'push it ]0;open',
    );
    expect(stripColours('a\tb\r\nc\u001b[1md\u0000')).toBe('a\tb\ncd');
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

  it.each(Object.entries(HOSTILE_TEXTS))('are harmless in a line, on a screen and in a pipe: %s', (_, text) => {
    expect(findObeyed(`x${oneLine(text)}\n`)).toEqual([]);
    expect(findObeyed(toScreenText(text), { keepsLines: true })).toEqual([]);
    expect(findObeyed(stripControls(text), { keepsLines: true })).toEqual([]);
  });

  it.each(Object.entries(HOSTILE_TEXTS))('are the same data in JSON, and harmless: %s', (_, text) => {
    const data = { text, [text]: [text] };
    expect(findObeyed(jsonText(data, 2))).toEqual([]);
    expect(JSON.parse(jsonText(data))).toEqual(data);
  });
});

describe('a text that somebody has to answer for', () => {
  it('shows all that it holds, and where it is', () => {
    expect(spellText('echo \u202e~ fr- mr\u202c')).toBe('echo <U+202E>~ fr- mr<U+202C>');
    expect(spellText('a\u001b[2K\rb\tc\u0000\u007f\u009b')).toBe('a␛[2K␍b␉c␀␡<U+009B>');
    expect(spellText('rm\u00a0-rf\u3164x\u200by\u{e0072}')).toBe('rm<U+00A0>-rf<U+3164>x<U+200B>y<U+E0072>');
    expect(spellText('half \ud83d')).toBe('half <U+D83D>');
    expect(spellText('one\ntwo')).toBe('one\ntwo');
    expect(spellText('é日✅ e\u0301')).toBe('é日✅ e\u0301');
    expect(spellText(`e${'\u0301'.repeat(4)}`)).toBe('e\u0301\u0301<U+0301><U+0301>');
  });

  it.each(Object.entries(HOSTILE_TEXTS))('loses no letter and is harmless: %s', (_, text) => {
    const spelt = spellText(text);
    expect(findObeyed(spelt, { keepsLines: true })).toEqual([]);
    const letters = (all: string): string => all.replace(/<U\+\w+>|[^A-Za-z]/g, '');
    expect(letters(spelt)).toBe(letters(text));
  });
});

describe('streamed text', () => {
  it.each(['\u001b', '\u001b[', '\u001b[12;3', '\u001b]0;tit', '\u001b]0;title\u001b', '\u009b1', '\ud83d'])(
    'waits for the end of what has begun: %j',
    (begun) => expect(splitBegun(`said ${begun}`)).toEqual({ whole: 'said ', begun }),
  );

  it.each(['said', 'said \u001b[31m', '\u001b]0;t\u0007x', '😀', `\u001b]0;${'x'.repeat(300)}`])(
    'waits for nothing where all is whole, nor without end: %j',
    (text) => expect(splitBegun(text)).toEqual({ whole: text, begun: '' }),
  );
});
