/** Columns that text takes in a terminal. Colours are put on afterwards: nothing here knows escape codes. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian wide and full-width forms, and emoji, take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const NOTHING = /^[\p{Mark}\p{Control}\p{Format}]*$/u;

const widthOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : NOTHING.test(grapheme) ? 0 : 1);

export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

export const padStart = (text: string, columns: number): string =>
  ' '.repeat(Math.max(0, columns - textWidth(text))) + text;

/** At most so many columns; what was cut shows as one mark at the end. Looks no further than it has to. */
export function clip(text: string, columns: number): string {
  let out = '';
  let room = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) return `${room.trimEnd()}…`;
    out += segment;
    if (width < columns) room = out;
  }
  return text;
}

/** Somebody else's words on one line: no line ends, and no control characters that a terminal would obey. */
export const oneLine = (text: string): string => text.replace(/[\p{Control}\p{Format}\s]+/gu, ' ').trim();

/** Words in lines of at most so many columns. A word wider than a line has a line of its own. */
export function wrap(words: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}
