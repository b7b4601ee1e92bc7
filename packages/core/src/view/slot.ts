import type { SummaryMark } from '../ledger/edit.ts';
import { keepNote, readNote } from '../message/copy-data.ts';
import type { Message, Part } from '../message/message.ts';
import { bytesOf, imagesIn } from '../size/estimate-message.ts';

/** How much something takes, by the measures that providers limit. */
export interface Sizes {
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
}

/** One message of the view, and where in the transcript it comes from. */
export interface Slot extends Sizes {
  readonly message: Message;
  /** The transcript places it stands for, both inclusive; the same number twice for a message shown as it is. */
  readonly first: number;
  readonly last: number;
  /** Set where a fold or an insert made the message: the edit's reference. */
  readonly fold?: string;
  readonly summary?: SummaryMark;
  /** The last transcript place that the summary is about, where that lies behind `last`. */
  readonly reach?: number;
  /** Put behind the transcript message at this place; it comes and goes with it. */
  readonly inserted?: true;
  /** Parts that an edit touched, by their index in the transcript's message; null where a part was dropped. */
  readonly edited?: ReadonlyMap<number, Part | null>;
  /** Of those, the parts that still show some of the original, by the same indexes. */
  readonly cut?: ReadonlySet<number>;
  /** Present when parts were dropped: the index in the transcript's message of each part still shown. */
  readonly partIndexes?: readonly number[];
}

/** A shown part's index in the transcript's own message: what edits name. */
export const partIndex = (slot: Slot, shown: number): number => slot.partIndexes?.[shown] ?? shown;

/** Tokens of a message, by whatever counter the host has. */
export type Count = (message: Message) => number;

type Weighed = Pick<Slot, 'message' | keyof Sizes>;

/** What a message that nobody can change was found to take, and by which counter. */
interface Weighing {
  readonly count: Count;
  readonly sizes: Weighed;
}

/** A message with its sizes, counted once: a session that shares it with another does not count it again. */
export function weighMessage(message: Message, count: Count): Weighed {
  const known = readNote(message) as Weighing | undefined;
  if (known?.count === count) return known.sizes;
  const sizes = { message, tokens: count(message), bytes: bytesOf(message), images: imagesIn(message) };
  keepNote(message, { count, sizes } satisfies Weighing);
  return sizes;
}
