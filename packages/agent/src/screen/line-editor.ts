import { graphemesOf, type Key, stepBack, stepForward, textWidth } from '@palimpsest/terminal';

/** What is being typed. */
export interface LineEditor {
  text(): string;
  set(text: string): void;
  /** True where the key was one for editing. */
  press(typed: string | undefined, key: Key): boolean;
  /** What was typed, taken out and remembered. */
  take(): string;
  /** As lines of a width, and where the cursor stands in them. */
  layOut(columns: number): { readonly lines: readonly string[]; readonly line: number; readonly column: number };
}

const MOST_REMEMBERED = 200;
/** A pasted page shows these many lines around the cursor. */
const MOST_LINES = 6;

export function newLineEditor(): LineEditor {
  let text = '';
  let at = 0;
  const history: string[] = [];
  let back = 0;
  let draft = '';

  const replace = (next: string, cursor = next.length): void => {
    text = next;
    at = Math.max(0, Math.min(cursor, next.length));
  };
  const insert = (more: string): void => replace(text.slice(0, at) + more + text.slice(at), at + more.length);
  const cut = (from: number, to: number): void => replace(text.slice(0, from) + text.slice(to), from);
  const lineStart = (): number => text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = (): number => (text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at));
  const wordStart = (): number => Math.max(0, text.slice(0, at).search(/\S+\s*$/));
  const wordEnd = (): number => at + (/^\s*\S+/.exec(text.slice(at))?.[0].length ?? text.length - at);
  const before = (): number => stepBack(text, at);
  const after = (): number => stepForward(text, at);

  const recallLine = (step: number): void => {
    if (back === 0) draft = text;
    back = Math.max(0, Math.min(history.length, back + step));
    replace(back === 0 ? draft : history.at(-back)!);
  };

  const actions: Readonly<Record<string, () => void>> = {
    backspace: () => cut(before(), at),
    delete: () => cut(at, after()),
    left: () => replace(text, before()),
    right: () => replace(text, after()),
    home: () => replace(text, lineStart()),
    end: () => replace(text, lineEnd()),
    up: () => recallLine(1),
    down: () => recallLine(-1),
    'ctrl-a': () => replace(text, lineStart()),
    'ctrl-e': () => replace(text, lineEnd()),
    'ctrl-b': () => replace(text, before()),
    'ctrl-f': () => replace(text, after()),
    'ctrl-h': () => cut(before(), at),
    'ctrl-u': () => cut(lineStart(), at),
    'ctrl-k': () => cut(at, lineEnd()),
    'ctrl-w': () => cut(wordStart(), at),
    'meta-backspace': () => cut(wordStart(), at),
    'meta-d': () => cut(at, wordEnd()),
    'meta-b': () => replace(text, wordStart()),
    'meta-f': () => replace(text, wordEnd()),
    'ctrl-left': () => replace(text, wordStart()),
    'ctrl-right': () => replace(text, wordEnd()),
    'meta-return': () => insert('\n'),
  };

  return {
    text: () => text,
    set: (next) => replace(next),
    press(typed, key) {
      const name = `${key.ctrl === true ? 'ctrl-' : key.meta === true ? 'meta-' : ''}${key.name ?? ''}`;
      const action = actions[name];
      if (action !== undefined) action();
      else if (key.ctrl !== true && key.meta !== true && typed !== undefined && isPrintable(typed)) insert(typed);
      else return false;
      return true;
    },
    take() {
      const taken = text;
      if (taken.trim() !== '' && history.at(-1) !== taken) history.push(taken);
      if (history.length > MOST_REMEMBERED) history.shift();
      back = 0;
      replace('');
      return taken;
    },
    layOut: (columns) => layOut(text, at, Math.max(4, columns)),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is not typed
const isPrintable = (typed: string): boolean => !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(typed);

function layOut(text: string, at: number, columns: number): ReturnType<LineEditor['layOut']> {
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
