import { stripVTControlCharacters } from 'node:util';

/** The one door: whatever files, commands, models and other agents' recordings say passes here before it is printed. */

/** Control characters but line end and tab; separators of lines; what turns the direction of a line around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** For a terminal or a pipe: line ends and tabs stay, nothing is left that a terminal would obey. */
export const stripControls = (text: string): string => text.replace(/\r\n/g, '\n').replace(OBEYED, '');

/** For a screen that is laid out: the colours of a command's output go as a whole, and tabs have a width. */
export const toScreenText = (text: string): string =>
  stripControls(stripVTControlCharacters(text)).replaceAll('\t', '  ');

/** Everything on one line; what joins emoji and letters stays. */
export const oneLine = (text: string): string =>
  text.replace(/(?:[\p{Control}\s]|(?![\u200c\u200d])\p{Format})+/gu, ' ').trim();
