import { textWidth } from './text-width.ts';
import { type ScreenCode, screenCodes, type Writer } from './writer.ts';

/** Where the terminal's cursor is to stand: which of the live lines, which column. */
export interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * The bottom of the screen, drawn again and again, while everything above is written once and belongs to the terminal:
 * scrolling back, selecting and resizing work there as with any other program.
 */
export interface LiveArea {
  /** Lines that stay. */
  print(lines: readonly string[]): void;
  /** What stands below them until the next call. Lines wider than the screen must have been clipped. */
  paint(lines: readonly string[], cursor: CursorPlace): void;
  /** The terminal has another width: what was painted may take more rows now. */
  resize(): void;
  close(): void;
}

type Pieces = readonly (string | ScreenCode)[];

const { lineEnd, lineStart, eraseBelow, hideCursor, showCursor, up, right } = screenCodes;

export function newLiveArea(out: Writer): LiveArea {
  let painted: readonly string[] = [];
  let cursor: CursorPlace = { line: 0, column: 0 };
  let waiting: string[] = [];

  const columns = (): number => Math.max(1, out.columns() ?? 80);
  const rows = (): number => Math.max(2, out.rows() ?? 24);
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(textWidth(line) / columns()));

  /** From wherever the cursor stands to the first row of the area, and everything from there on erased. */
  const erase = (): Pieces => {
    const above = painted.slice(0, cursor.line).reduce((sum, line) => sum + rowsOf(line), 0);
    const within = Math.floor(Math.min(cursor.column, textWidth(painted[cursor.line] ?? '')) / columns());
    return [lineStart, up(Math.min(above + within, rows() - 1)), eraseBelow];
  };

  const draw = (lines: readonly string[], place: CursorPlace): Pieces => [
    ...lines.flatMap((line, i) => (i === 0 ? [line] : [lineEnd, line])),
    lineStart,
    up(lines.length - 1 - place.line),
    right(place.column),
  ];

  /** What is to stay, each line on a row of its own. */
  const takeWaiting = (): Pieces => {
    const pieces = waiting.flatMap((line) => [line, lineEnd]);
    waiting = [];
    return pieces;
  };

  return {
    print(lines) {
      for (const line of lines) waiting.push(...line.split('\n'));
    },
    paint(drawn, place) {
      const lines = drawn.map((line) => line.replaceAll('\n', ' '));
      // A screen too low for all of it keeps the end: that is where one types.
      const over = Math.max(0, lines.length - (rows() - 1));
      const shown = over === 0 ? lines : lines.slice(over);
      const at = { line: Math.max(0, place.line - over), column: place.column };
      const isSame =
        waiting.length === 0 &&
        at.line === cursor.line &&
        at.column === cursor.column &&
        shown.length === painted.length &&
        shown.every((line, i) => line === painted[i]);
      if (isSame) return;
      out.send([hideCursor, ...erase(), ...takeWaiting(), ...draw(shown, at), showCursor]);
      painted = shown;
      cursor = at;
    },
    resize() {
      out.send(erase());
      painted = [];
      cursor = { line: 0, column: 0 };
    },
    close() {
      out.send([...erase(), ...takeWaiting()]);
      painted = [];
      cursor = { line: 0, column: 0 };
    },
  };
}
