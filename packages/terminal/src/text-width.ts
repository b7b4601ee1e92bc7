import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Segmenting takes time by the square of the length, here and inside the libraries: long texts go in slices. */
const SLICE_CHARS = 512;
/** Plain characters are graphemes of their own, unless what follows is joined to them. */
const PLAIN_OR_RUN = /[ -~](?![^ -~])|[ -~]?[^ -~]+/g;

/** What a reader takes for one character each: a letter with its marks, an emoji with all that is joined to it. */
export function* graphemesOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(PLAIN_OR_RUN)) {
    if (run.length === 1) yield run;
    else yield* segmentRun(run);
  }
}

function* segmentRun(run: string): Generator<string> {
  let rest = '';
  for (let at = 0; at < run.length; at += SLICE_CHARS) {
    const segments = [...segmenter.segment(rest + run.slice(at, at + SLICE_CHARS))].map(({ segment }) => segment);
    // The cut may have gone through the last one, or through what would have joined the two last.
    const isLast = at + SLICE_CHARS >= run.length;
    rest = isLast ? '' : segments.splice(-2).join('');
    yield* segments;
  }
}

/** Where the cursor stands after one step to the left. */
export const stepBack = (text: string, at: number): number =>
  at <= 0 ? 0 : (segmenter.segment(text).containing(at - 1)?.index ?? 0);

/** Where the cursor stands after one step to the right. */
export function stepForward(text: string, at: number): number {
  const under = segmenter.segment(text).containing(at);
  return under === undefined ? text.length : under.index + under.segment.length;
}

/** Columns that a text takes in a terminal; colours take none. */
export function textWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[ -~]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const grapheme of graphemesOf(plain)) width += graphemeWidth(grapheme);
  return width;
}

/** Looking one up takes microseconds, and a text of a language has few different ones. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 4_096;

function graphemeWidth(grapheme: string): number {
  const known = widths.get(grapheme);
  if (known !== undefined) return known;
  const width = stringWidth(grapheme);
  if (widths.size >= MOST_WIDTHS) widths.clear();
  widths.set(grapheme, width);
  return width;
}

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
    width += graphemeWidth(grapheme);
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
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(LEAST_COLUMNS, columns)));

/** Rows of at most so many columns, broken behind a space where there is one: put together again they are the line, blank by blank. */
export function wrapExactly(line: string, columns: number): readonly string[] {
  const most = Math.max(LEAST_COLUMNS, columns);
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const grapheme of graphemesOf(line)) {
    const next = graphemeWidth(grapheme);
    if (width + next > most) {
      const space = row.lastIndexOf(' ') + 1;
      const end = space > row.length / 2 ? space : row.length;
      rows.push(row.slice(0, end));
      row = row.slice(end);
      width = textWidth(row);
    }
    row += grapheme;
    width += next;
  }
  return [...rows, row];
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (textWidth(line) <= columns) return [line];
  const rows: string[] = [];
  let last = '';
  for (const slice of slicesOf(line)) {
    const wrapped = wrapAnsi(last + slice, columns, { hard: true, trim: false }).split('\n');
    last = wrapped.pop() ?? '';
    rows.push(...wrapped);
  }
  return [...rows, last].map((row, i) => {
    const start = i === 0 ? row : row.trimStart();
    return i === rows.length ? start : start.trimEnd();
  });
}

function* slicesOf(line: string): Generator<string> {
  let slice = '';
  for (const grapheme of graphemesOf(line)) {
    slice += grapheme;
    if (slice.length < SLICE_CHARS) continue;
    yield slice;
    slice = '';
  }
  yield slice;
}
