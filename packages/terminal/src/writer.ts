import { type Environment, PAINT, type Paint, paintFor, wantsColour } from './paint.ts';
import { stripControls } from './printable.ts';

/** The one door to a terminal: whatever our programs print goes out here, and nowhere else (`npm run check:shape`). */

const CODE = Symbol('screen code');

/** What a program of ours tells a terminal besides text. Only `screenCodes` makes one: no text can become it. */
export interface ScreenCode {
  readonly [CODE]: string;
}

const newCode = (code: string): ScreenCode => ({ [CODE]: code });
const moveBy = (count: number, letter: string): ScreenCode =>
  newCode(count > 0 ? `\u001b[${Math.floor(count)}${letter}` : '');

export const screenCodes = {
  lineEnd: newCode('\r\n'),
  lineStart: newCode('\r'),
  eraseLine: newCode('\u001b[K'),
  eraseBelow: newCode('\u001b[J'),
  hideCursor: newCode('\u001b[?25l'),
  showCursor: newCode('\u001b[?25h'),
  pasteOn: newCode('\u001b[?2004h'),
  pasteOff: newCode('\u001b[?2004l'),
  /** Into the terminal's own clipboard (OSC 52), where it lets programs do that. In base64 nothing is obeyed. */
  copy: (text: string): ScreenCode => newCode(`\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`),
  up: (rows: number): ScreenCode => moveBy(rows, 'A'),
  right: (columns: number): ScreenCode => moveBy(columns, 'C'),
} as const;

/** What a writer needs of a stream. */
export type Sink = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'on'> & {
  write(text: string, done?: () => void): boolean;
};

export interface Writer {
  /** A text and a line end. */
  print(text?: string): void;
  /** Texts and codes at once, so that nothing flickers. */
  send(pieces: readonly (string | ScreenCode)[]): void;
  /** Calls back when all has gone out. */
  flush(done: () => void): void;
  readonly isTerminal: boolean;
  /** As many as there are now; undefined where there is no terminal. */
  columns(): number | undefined;
  rows(): number | undefined;
  readonly paint: Paint;
}

/** `… | head` closes the pipe, a disk has no room: then nothing more is written, and `onLost` is told once. */
export function openWriter(
  stream: Sink,
  environment: Environment,
  onLost: (error: NodeJS.ErrnoException) => void = () => {},
): Writer {
  const isTerminal = stream.isTTY === true;
  const isColoured = wantsColour(environment, isTerminal);
  let isOpen = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isOpen) onLost(error);
    isOpen = false;
  });
  const write = (text: string): void => {
    if (isOpen) stream.write(text);
  };
  return {
    print: (text = '') => write(`${cleanText(text, isColoured)}\n`),
    send: (pieces) =>
      write(pieces.map((piece) => (typeof piece === 'string' ? cleanText(piece, isColoured) : piece[CODE])).join('')),
    flush: (done) => void stream.write('', done),
    isTerminal,
    columns: () => stream.columns,
    rows: () => stream.rows,
    paint: paintFor(environment, isTerminal),
  };
}

/** Nothing of a text is obeyed but the colours that our own paint puts on, and those only where there are any. */
function cleanText(text: string, isColoured: boolean): string {
  let clean = '';
  let end = 0;
  for (const { 0: colour, index } of text.matchAll(PAINT)) {
    clean += stripControls(text.slice(end, index)) + (isColoured ? colour : '');
    end = index + colour.length;
  }
  return clean + stripControls(text.slice(end));
}
