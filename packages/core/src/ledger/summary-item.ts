import type { MessageId } from '../message/message.ts';

/** Where a statement of a summary comes from. */
export interface ItemPlace {
  readonly message: MessageId;
  /** `quote`: words of that message were given with the statement, and stand there. `names`: it holds the statement's names. */
  readonly by: 'quote' | 'names';
}

/**
 * One statement of a summary. It stands word for word in every later summary until somebody changes or retires it, or the room
 * is full; then recall still reads it, by its number (`s12`).
 */
export interface SummaryItem {
  /** Never given to another statement of the same summary or of one that follows it. */
  readonly number: number;
  /** The heading that it stands under. */
  readonly section: string;
  readonly text: string;
  /** Where it comes from in the transcript. None: nothing there proves it. */
  readonly places: readonly ItemPlace[];
  /** Who said it so. What the user wrote, no model changes or retires. */
  readonly by: 'model' | 'user';
  /** The newest place of the transcript at which what it is about came up. Where room is short, the smallest goes first. */
  readonly used: number;
}

/** A statement that stands no longer so, and where the reason for that was found. */
export interface RetiredItem {
  readonly item: SummaryItem;
  readonly places: readonly ItemPlace[];
}

/** The statements of a summary, and what became of those before it. */
export interface ItemUpdate {
  /** Those that stand, in the order in which they are shown. */
  readonly items: readonly SummaryItem[];
  /** What this summary retired, or said differently, as it stood before. */
  readonly retired: readonly RetiredItem[];
  /** Those for which this summary had no room any more: nobody said that they are not true. */
  readonly aged: readonly SummaryItem[];
  /** Of all summaries so far: how many statements there was no room for, and the ends of their numbers. */
  readonly left?: LeftItems;
  /** The highest number that was ever given. */
  readonly lastItem: number;
}

/** Statements that recall reads, and the view does not show any more. */
export interface LeftItems {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}
