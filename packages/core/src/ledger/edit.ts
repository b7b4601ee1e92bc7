import type { Json, Message, MessageId } from '../message/message.ts';
import type { Usage } from '../size/usage.ts';
import { toWellFormed } from '../text.ts';
import type { ItemUpdate } from './summary-item.ts';

/** A text made of literal strings and of slices `[from, to)` of the original, so a ledger never copies what it hides. */
export type Excerpt = readonly (string | readonly [number, number])[];

/** What every edit has. */
export interface EditBase {
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
  /** What was in view until now: messages that an earlier fold had hidden do not count again. */
  readonly hides: { readonly messages: number; readonly bytes: number };
  /** Set where the messages say what was hidden, and not only that it was: such a fold outlives plain messages. */
  readonly summary?: SummaryMark;
}

/**
 * What a fold that tells what it hides keeps for the next summary and for the receipt. Where it was made of statements, they
 * are in it one by one, and the narrative shows them.
 */
export interface SummaryMark extends Partial<ItemUpdate> {
  /** `history`: the one live summary. `span`: one of several collapsed spans. */
  readonly of: 'history' | 'span';
  /** `draft`: by the model too, but ahead of time. `user`: edited by hand since. */
  readonly by: 'model' | 'draft' | 'digest' | 'user';
  /** The model's own text, without evidence and frame: what the next summary brings up to date. */
  readonly narrative?: string;
  /** The kept segment, so that a stored session can be linked again: its ends, and what it hangs on. */
  readonly kept?: { readonly first: MessageId; readonly anchor: MessageId; readonly last: MessageId };
  /** The first and the last message that it is about, where its own fold is shorter: others around it stay, or were hidden with it. */
  readonly from?: MessageId;
  readonly to?: MessageId;
  /** Names, paths and numbers in it that the transcript does not hold. */
  readonly flagged?: readonly string[];
  /** How many calls to the summarizer it took, what they used in all, and what that cost where prices are known. */
  readonly calls?: number;
  readonly usage?: Usage;
  readonly cost?: number;
  /** Why there is no narrative of the model's, where one was asked for. */
  readonly failure?: { readonly code: string; readonly why: string };
  /** How many messages the transcript had when it was made. */
  readonly count?: number;
  /** How it follows the summary before it. */
  readonly recompaction?: Recompaction;
}

/** How a compaction follows the one before it. */
export interface Recompaction {
  /** Another one stands since the user's newest message: the same request has filled the window again. */
  readonly inChain: boolean;
  /** How often the model has answered since the one before. */
  readonly turnsSince?: number;
  /** The reference of the summary before. */
  readonly previous?: string;
  /** Where automatic compaction begins, in tokens. */
  readonly threshold?: number;
}

/** Messages put behind a transcript message that the view shows: attachments, hook results. */
export interface InsertEdit extends EditBase {
  readonly type: 'insert';
  readonly after: MessageId;
  readonly messages: readonly Message[];
  /** What earlier edits put into the view gives way to it, by their references. */
  readonly replaces?: readonly string[];
}

/** An edit of one part of one message. */
export type PartEdit = ReplaceEdit | DropEdit | ShortenEdit;

/** All that a layer can do to a view. Recorded in the ledger, and applied again at every view. */
export type Edit = PartEdit | FoldEdit | InsertEdit;

/** The transcript message at which an edit begins. */
export const startOf = (edit: Edit): MessageId =>
  edit.type === 'fold' ? edit.from : edit.type === 'insert' ? edit.after : edit.message;

/** The text that an excerpt makes of the original. */
export function excerptText(excerpt: Excerpt, original: string): string {
  let out = '';
  for (const piece of excerpt) out += typeof piece === 'string' ? piece : original.slice(piece[0], piece[1]);
  return toWellFormed(out);
}
