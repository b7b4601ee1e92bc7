import { type Key, stepBack, stepForward } from '@palimpsest/terminal';
import { type FoldedPastes, newFoldedPastes } from './folded-pastes.ts';
import { type LaidOut, layOutText } from './lay-out-text.ts';
import { newTypedHistory, type TypedHistory } from './typed-history.ts';

/** What is being typed. */
export interface LineEditor {
  /** As it stands in the line: pasted pages are folded. */
  text(): string;
  cursor(): number;
  set(text: string): void;
  /** Puts other words in the place of a stretch; the cursor stands behind them. */
  replace(from: number, to: number, words: string): void;
  /** True where the key was one for editing. */
  press(typed: string | undefined, key: Key): boolean;
  /** What was typed, whole, taken out and remembered. */
  take(): string;
  /** What is looked for in the history, and whether it was found; undefined where nothing is. */
  search(): { readonly words: string; readonly isFound: boolean } | undefined;
  endSearch(): void;
  /** As lines of a width, and where the cursor stands in them. */
  layOut(columns: number): LaidOut;
}

interface EditorState {
  readonly history: TypedHistory;
  readonly pastes: FoldedPastes;
  text: string;
  at: number;
  /** How many lines back in the history it is; 0 is what is being typed. */
  back: number;
  draft: string;
  search?: { readonly words: string; readonly at: number } | undefined;
}

export function newLineEditor(history: TypedHistory = newTypedHistory()): LineEditor {
  const state: EditorState = { history, pastes: newFoldedPastes(), text: '', at: 0, back: 0, draft: '' };
  const actions = actionsOn(state);
  return {
    text: () => state.text,
    cursor: () => state.at,
    set: (next) => setText(state, next),
    replace: (from, to, words) => splice(state, from, to, words),
    press(typed, key) {
      const name = `${key.ctrl === true ? 'ctrl-' : key.meta === true ? 'meta-' : ''}${key.name ?? ''}`;
      const isTyped = key.ctrl !== true && key.meta !== true && typed !== undefined && isPrintable(typed);
      if (state.search !== undefined && pressSearch(state, name, isTyped ? typed : undefined)) return true;
      const action = key.sequence === SHIFT_ENTER ? actions['meta-return'] : actions[name];
      if (action !== undefined) action();
      else if (isTyped) splice(state, state.at, state.at, key.name === 'paste' ? state.pastes.fold(typed) : typed);
      else return false;
      return true;
    },
    take() {
      const taken = state.pastes.expand(state.text);
      state.history.add(taken);
      state.back = 0;
      state.search = undefined;
      setText(state, '');
      return taken;
    },
    search: () => state.search && { words: state.search.words, isFound: state.search.at >= 0 },
    endSearch() {
      state.search = undefined;
    },
    layOut: (columns) => layOutText(state.text, state.at, Math.max(4, columns)),
  };
}

/** Shift-Enter, as terminals send it that tell it from Enter. */
const SHIFT_ENTER = '\u001b[13;2u';

function setText(state: EditorState, next: string, cursor = next.length): void {
  state.text = next;
  state.at = Math.max(0, Math.min(cursor, next.length));
}

const splice = (state: EditorState, from: number, to: number, words: string): void =>
  setText(state, state.text.slice(0, from) + words + state.text.slice(to), from + words.length);

function recallLine(state: EditorState, step: number): void {
  const { lines } = state.history;
  if (state.back === 0) state.draft = state.text;
  state.back = Math.max(0, Math.min(lines.length, state.back + step));
  setText(state, state.back === 0 ? state.draft : (lines.at(-state.back) ?? ''));
}

/** To the line above or below, in the same column; false where there is none. */
function moveLine(state: EditorState, step: -1 | 1): boolean {
  const { text, at } = state;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
  if (step < 0 ? start === 0 : end === text.length) return false;
  const to = step < 0 ? text.lastIndexOf('\n', start - 2) + 1 : end + 1;
  const toEnd = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to);
  setText(state, text, Math.min(to + at - start, toEnd));
  return true;
}

/** Keys while the history is searched: letters look further, ctrl-r goes on to older lines, anything else takes what was found. */
function pressSearch(state: EditorState, name: string, typed: string | undefined): boolean {
  const { words, at } = state.search ?? { words: '', at: -1 };
  const look = (next: string, before: number): void => {
    const found = next === '' ? -1 : state.history.find(next, before);
    const kept = found < 0 && next === words ? at : found;
    state.search = { words: next, at: kept };
    if (kept >= 0) setText(state, state.history.lines[kept] ?? '');
  };
  if (typed !== undefined) look(words + typed, state.history.lines.length);
  else if (name === 'backspace') look(words.slice(0, -1), state.history.lines.length);
  else if (name === 'ctrl-r') look(words, at < 0 ? state.history.lines.length : at);
  else {
    state.search = undefined;
    return false;
  }
  return true;
}

function actionsOn(state: EditorState): Readonly<Record<string, () => void>> {
  const move = (to: number): void => setText(state, state.text, to);
  const cut = (from: number, to: number): void => splice(state, from, to, '');
  const lineStart = (): number => state.text.lastIndexOf('\n', state.at - 1) + 1;
  const lineEnd = (): number => {
    const end = state.text.indexOf('\n', state.at);
    return end < 0 ? state.text.length : end;
  };
  const wordStart = (): number => Math.max(0, state.text.slice(0, state.at).search(/\S+\s*$/));
  const wordEnd = (): number =>
    state.at + (/^\s*\S+/.exec(state.text.slice(state.at))?.[0].length ?? state.text.length - state.at);
  const before = (): number => state.pastes.markBefore(state.text, state.at) ?? stepBack(state.text, state.at);
  const after = (): number => state.pastes.markAfter(state.text, state.at) ?? stepForward(state.text, state.at);
  return {
    backspace: () => cut(before(), state.at),
    delete: () => cut(state.at, after()),
    left: () => move(before()),
    right: () => move(after()),
    home: () => move(lineStart()),
    end: () => move(lineEnd()),
    up: () => void (moveLine(state, -1) || recallLine(state, 1)),
    down: () => void (moveLine(state, 1) || recallLine(state, -1)),
    'ctrl-p': () => recallLine(state, 1),
    'ctrl-n': () => recallLine(state, -1),
    'ctrl-r': () => {
      state.search = { words: '', at: -1 };
    },
    'ctrl-a': () => move(lineStart()),
    'ctrl-e': () => move(lineEnd()),
    'ctrl-b': () => move(before()),
    'ctrl-f': () => move(after()),
    'ctrl-h': () => cut(before(), state.at),
    'ctrl-u': () => cut(lineStart(), state.at),
    'ctrl-k': () => cut(state.at, lineEnd()),
    'ctrl-w': () => cut(wordStart(), state.at),
    'meta-backspace': () => cut(wordStart(), state.at),
    'meta-d': () => cut(state.at, wordEnd()),
    'meta-b': () => move(wordStart()),
    'meta-f': () => move(wordEnd()),
    'ctrl-left': () => move(wordStart()),
    'ctrl-right': () => move(wordEnd()),
    'meta-return': () => splice(state, state.at, state.at, '\n'),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is not typed
const isPrintable = (typed: string): boolean => !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(typed);
