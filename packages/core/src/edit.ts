import type { Json, Message, MessageId } from './message.ts';

/** A text made of literal strings and of slices `[from, to)` of the original, so a ledger never copies what it hides. */
export type Excerpt = readonly (string | readonly [number, number])[];

interface EditBase {
  /** Short, unique in the session (`e12`); recall reads what this edit hid by it. */
  readonly ref: string;
}

/** A part's content gives way to an excerpt of it; a result stays the result of its call. */
export interface ReplaceEdit extends EditBase {
  readonly type: 'replace';
  readonly message: MessageId;
  readonly part: number;
  /** Within a result: which piece of its content; absent means all of it. */
  readonly piece?: number;
  readonly excerpt: Excerpt;
  /** Where the full text was saved besides the transcript. */
  readonly stash?: string;
}

/** A part goes whole (reasoning: signed blocks are never altered). */
export interface DropEdit extends EditBase {
  readonly type: 'drop';
  readonly message: MessageId;
  readonly part: number;
}

/** A call keeps its id and tool; its arguments give way to shorter ones. */
export interface ShortenEdit extends EditBase {
  readonly type: 'shorten';
  readonly message: MessageId;
  readonly part: number;
  readonly input: Json;
}

/** The transcript messages `from` to `to` give way to other messages (perhaps none). Folds nest or are disjoint. */
export interface FoldEdit extends EditBase {
  readonly type: 'fold';
  readonly from: MessageId;
  readonly to: MessageId;
  readonly messages: readonly Message[];
  /** Set where the messages say what was hidden, and not only that it was: such a fold outlives plain messages. */
  readonly summary?: true;
}

export type Edit = ReplaceEdit | DropEdit | ShortenEdit | FoldEdit;

export function excerptText(excerpt: Excerpt, original: string): string {
  let out = '';
  for (const piece of excerpt) out += typeof piece === 'string' ? piece : original.slice(piece[0], piece[1]);
  return out;
}
