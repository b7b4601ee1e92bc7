import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader takes for one character each: a letter with its marks, an emoji with all that is joined to it. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** Where the cursor stands after one step to the left. */
export const stepBack = (text: string, at: number): number =>
  at <= 0 ? 0 : (graphemes.segment(text).containing(at - 1)?.index ?? 0);

/** Where the cursor stands after one step to the right. */
export function stepForward(text: string, at: number): number {
  const under = graphemes.segment(text).containing(at);
  return under === undefined ? text.length : under.index + under.segment.length;
}

/** Columns that a text takes in a terminal; colours take none. */
export const textWidth = (text: string): number => stringWidth(text);

export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

export const padStart = (text: string, columns: number): string =>
  ' '.repeat(Math.max(0, columns - textWidth(text))) + text;

/** At most so many columns; what was cut shows as one mark at the end. Looks no further than it has to. Without colours. */
export function clip(text: string, columns: number): string {
  let out = '';
  let room = '';
  let width = 0;
  for (const grapheme of graphemesOf(text)) {
    width += textWidth(grapheme);
    if (width > columns) return `${room.trimEnd()}…`;
    out += grapheme;
    if (width < columns) room = out;
  }
  return text;
}

const LEAST_COLUMNS = 8;

/**
 * Lines of at most so many columns, broken at spaces where there are some. Indentation stays, and so do the spaces at the
 * very end: streamed text goes on behind them.
 */
export const wrap = (text: string, columns: number): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const rows = wrapAnsi(line, Math.max(LEAST_COLUMNS, columns), { hard: true, trim: false }).split('\n');
    return rows.map((row, i) => {
      const start = i === 0 ? row : row.trimStart();
      return i === rows.length - 1 ? start : start.trimEnd();
    });
  });
