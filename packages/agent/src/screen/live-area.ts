import { textWidth } from '@palimpsest/terminal';

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

export function newLiveArea(out: NodeJS.WriteStream): LiveArea {
  let painted: readonly string[] = [];
  let cursor: CursorPlace = { line: 0, column: 0 };
  let waiting: string[] = [];

  const columns = (): number => Math.max(1, out.columns ?? 80);
  const rows = (): number => Math.max(2, out.rows ?? 24);
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(textWidth(line) / columns()));

  /** From wherever the cursor stands to the first row of the area, and everything from there on erased. */
  const erase = (): string => {
    const above = painted.slice(0, cursor.line).reduce((sum, line) => sum + rowsOf(line), 0);
    const within = Math.floor(Math.min(cursor.column, textWidth(painted[cursor.line] ?? '')) / columns());
    const up = Math.min(above + within, rows() - 1);
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
  };

  const draw = (lines: readonly string[], place: CursorPlace): string => {
    const up = lines.length - 1 - place.line;
    return `${lines.join('\r\n')}\r${up > 0 ? `\u001b[${up}A` : ''}${place.column > 0 ? `\u001b[${place.column}C` : ''}`;
  };

  return {
    print(lines) {
      waiting.push(...lines);
    },
    paint(lines, place) {
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
      const above = waiting.map((line) => `${line}\r\n`).join('');
      out.write(`\u001b[?25l${erase()}${above}${draw(shown, at)}\u001b[?25h`);
      waiting = [];
      painted = shown;
      cursor = at;
    },
    resize() {
      out.write(erase());
      painted = [];
      cursor = { line: 0, column: 0 };
    },
    close() {
      out.write(`${erase()}${waiting.map((line) => `${line}\r\n`).join('')}`);
      waiting = [];
      painted = [];
      cursor = { line: 0, column: 0 };
    },
  };
}
