/** Words of others pass here before they stand in a line of ours: what files, commands, models, recordings and servers say. */

/**
 * Control characters but line end and tab; separators of lines; what turns the direction of a line around; what has no
 * width and hides text. What joins emoji and letters (U+200C, U+200D) stays.
 */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Half of a pair: no terminal can show it, and no pipe can carry it. */
const HALF = /\p{Surrogate}/gu;

/** For a terminal or a pipe: line ends and tabs stay, nothing is left that a terminal would obey. */
export const stripControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(OBEYED, '').replace(HALF, '\ufffd');

/**
 * Colours and moves of the cursor; titles and links, up to the end that they have on their line. Node's own pattern takes words that
 * stand before a bell for a part of any of them.
 */
const CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)/g;

/** For a terminal or a pipe as well: the colours of a command's output go as a whole. */
export const stripColours = (text: string): string => stripControls(text.replace(CODES, ''));

/** For a screen that is laid out: like that, and tabs have a width. */
export const toScreenText = (text: string): string => stripColours(text).replaceAll('\t', '  ');

/** Everything on one line; what joins emoji and letters stays. */
export const oneLine = (text: string): string =>
  text
    .replace(/(?:[\p{Control}\s]|(?![\u200c\u200d])\p{Format})+/gu, ' ')
    .replace(HALF, '\ufffd')
    .trim();

/** The beginning of an escape sequence or of a pair, whose end is still to come. */
const BEGUN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
  /(?:\u001b(?:\[[0-?]*[ -/]*)?|\u009b[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]{0,200}\u001b?|[\ud800-\udbff])$/;

/** Streamed text in two: what can be shown now, and what is only understood with the piece that follows. */
export function splitBegun(text: string): { readonly whole: string; readonly begun: string } {
  const at = BEGUN.exec(text)?.index ?? text.length;
  return { whole: text.slice(0, at), begun: text.slice(at) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be seen
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/g;
/** Blanks that are no space. */
const BLANK = /(?! )\p{Space_Separator}|\u2800/gu;
/** Characters without a shape; the one that asks for an emoji in colour stays. */
const SHAPELESS = /(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;
/** A letter carries two marks at most; more would cover its neighbours. */
const PILED = /(?<=\p{Mark}{2})\p{Mark}/gu;

/**
 * As it is, for somebody who has to answer for it: nothing goes, nothing hides. Control characters have pictures, whatever
 * else has no shape of its own is named by its number; line ends stay.
 */
export const spellText = (text: string): string =>
  [HALF, OBEYED, SHAPELESS, BLANK, PILED].reduce(
    (spelt, hidden) => spelt.replace(hidden, nameCharacter),
    text.replace(CONTROL, drawControl),
  );

const drawControl = (character: string): string =>
  character === '\u007f' ? '␡' : String.fromCodePoint(0x2400 + (character.codePointAt(0) ?? 0));

const nameCharacter = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** JSON for a pipe or a terminal: what a terminal would obey is written as JSON can write it, so that nothing is lost. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(OBEYED, escapeUnits);

const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
