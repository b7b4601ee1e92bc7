import { collapseSpace } from './read-commands.ts';

/** A longer text of the user's is a paste: its two ends tell whether it is there. */
const PASTE_CHARS = 2_000;
const END_CHARS = 100;

/** Something the user said, and what must stand in a view for it to be held. */
export interface Said {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** As a text is compared: word for word, but for spacing. */
export function readSaid(words: string): Said {
  const text = collapseSpace(words);
  const isPaste = words.length > PASTE_CHARS;
  return { text, pieces: isPaste ? [text.slice(0, END_CHARS).trim(), text.slice(-END_CHARS).trim()] : [text] };
}

/** `shown`: texts without doubled spacing. The pieces of one saying stand in one of them. */
export const isSaid = ({ pieces }: Said, shown: readonly string[]): boolean =>
  shown.some((text) => pieces.every((piece) => text.includes(piece)));
