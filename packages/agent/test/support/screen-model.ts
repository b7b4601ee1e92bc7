/** A terminal as far as the agent uses one: text, line ends, cursor up and right, erasing; it wraps, scrolls and reflows. */
export interface ScreenModel {
  write(data: string): void;
  resize(columns: number, rows: number): void;
  /** Everything, scrolled away or not, without trailing blanks. */
  all(): string;
  /** What can be seen. */
  visible(): readonly string[];
  cursor(): { readonly row: number; readonly column: number };
}

interface Row {
  cells: string[];
  /** Goes on in the next row because it was too long. */
  wraps: boolean;
}

export function screenModel(columns: number, rows: number): ScreenModel {
  let lines: Row[] = [{ cells: [], wraps: false }];
  let row = 0;
  let column = 0;
  let rest = '';

  const top = (): number => Math.max(0, lines.length - rows);
  const line = (at: number): Row => {
    while (lines.length <= at) lines.push({ cells: [], wraps: false });
    return lines[at]!;
  };

  function put(character: string): void {
    if (column >= columns) {
      line(row).wraps = true;
      row++;
      column = 0;
    }
    const { cells } = line(row);
    while (cells.length < column) cells.push(' ');
    cells[column++] = character;
  }

  function control(body: string, final: string): void {
    const count = Number(body) || 1;
    if (final === 'A') row = Math.max(top(), row - count);
    if (final === 'C') column = Math.min(columns - 1, column + count);
    if (final === 'J') {
      lines = lines.slice(0, row + 1);
      const { cells } = line(row);
      lines[row] = { cells: cells.slice(0, column), wraps: false };
    }
  }

  return {
    write(data) {
      rest += data;
      for (;;) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
        const match = /^(?:\u001b\[([?\d;]*)([A-Za-z])|\u001b(?!\[)[^[]|([^\u001b]))/u.exec(rest);
        if (match === null) return;
        rest = rest.slice(match[0].length);
        if (match[2] !== undefined) control(match[1] ?? '', match[2]);
        else if (match[3] === '\r') column = 0;
        else if (match[3] === '\n') line(++row);
        else if (match[3] !== undefined && match[3] >= ' ') put(match[3]);
      }
    },
    resize(newColumns, newRows) {
      const reflowed: Row[] = [];
      let place = { row: 0, column: 0 };
      for (let at = 0; at < lines.length; ) {
        let cells: string[] = [];
        let cursorAt: number | undefined;
        for (let goesOn = true; goesOn && at < lines.length; at++) {
          if (at === row) cursorAt = cells.length + column;
          cells = [...cells, ...lines[at]!.cells];
          goesOn = lines[at]!.wraps;
        }
        const pieces = Math.max(1, Math.ceil(cells.length / newColumns));
        if (cursorAt !== undefined) {
          const within = Math.min(pieces - 1, Math.floor(cursorAt / newColumns));
          place = { row: reflowed.length + within, column: Math.min(newColumns - 1, cursorAt - within * newColumns) };
        }
        for (let i = 0; i < pieces; i++)
          reflowed.push({ cells: cells.slice(i * newColumns, (i + 1) * newColumns), wraps: i < pieces - 1 });
      }
      lines = reflowed;
      row = place.row;
      column = place.column;
      columns = newColumns;
      rows = newRows;
    },
    all: () => lines.map(({ cells, wraps }) => (wraps ? cells.join('') : `${cells.join('').trimEnd()}\n`)).join(''),
    visible: () => lines.slice(top()).map(({ cells }) => cells.join('').trimEnd()),
    cursor: () => ({ row: row - top(), column }),
  };
}
