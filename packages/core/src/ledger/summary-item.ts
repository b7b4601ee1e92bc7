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
  /** In how many later summaries what it is about came up again. */
  readonly uses: number;
}

/** A statement that stands no longer, and where the reason for that was found. */
export interface RetiredItem {
  readonly item: SummaryItem;
  readonly places: readonly ItemPlace[];
}
