import { graphemesOf, textWidth } from '@palimpsest/terminal';

/** A text as lines of a width, and where the cursor stands in them. */
export interface LaidOut {
  readonly lines: readonly string[];
  readonly line: number;
  readonly column: number;
}

/** A long text shows these many lines around the cursor. */
const MOST_LINES = 6;

export function layOutText(text: string, at: number, columns: number): LaidOut {
  const lines: string[] = [];
  let line = '';
  // Counted along: a pasted page is laid out at every key.
  let column = 0;
  let offset = 0;
  let place = { line: 0, column: 0 };
  for (const grapheme of graphemesOf(text)) {
    const start = offset;
    offset += grapheme.length;
    const width = grapheme === '\n' ? 0 : textWidth(grapheme);
    if (grapheme === '\n' || column + width > columns - 1) {
      lines.push(line);
      line = '';
      column = 0;
    }
    if (grapheme !== '\n') line += grapheme;
    column += width;
    if (start < at && at <= offset) place = { line: lines.length, column };
  }
  lines.push(line);
  const from = Math.max(0, Math.min(place.line - MOST_LINES + 1, lines.length - MOST_LINES));
  return { lines: lines.slice(from, from + MOST_LINES), line: place.line - from, column: place.column };
}
