import { type EditsEntry, type Message, partText, wordsOf } from '@palimpsest/core';
import type { Played } from './play.ts';

/** Something the user said, and where it is now. */
export interface Words {
  readonly message: string;
  readonly text: string;
  /** `summary`: every sentence of it stands in a message that a layer made. */
  readonly shown: 'whole' | 'summary' | 'no';
  /** The reference to recall it by; absent where it is shown whole. */
  readonly ref?: string;
}

const sentences = (text: string): readonly string[] =>
  text.split(/(?<=[.!?。！？])\s+/u).map((sentence) => sentence.trim());

/** Everything the user said, in order. */
export function userWords({ session, said, view }: Played): readonly Words[] {
  const whole = new Set(view.messages.map(wordsOf));
  const made = view.messages
    .filter((message) => message.origin === 'palimpsest')
    .flatMap((message) => message.parts.map(partText));
  const edits = session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? (entry as EditsEntry).edits : []));
  const places = new Map(said.map((message, i) => [message.id, i]));
  const hides = (edit: EditsEntry['edits'][number], message: Message): boolean => {
    if (edit.type === 'insert') return false;
    if (edit.type !== 'fold') return edit.message === message.id;
    const at = places.get(message.id)!;
    return places.get(edit.from)! <= at && at <= places.get(edit.to)!;
  };
  return said
    .filter((message) => wordsOf(message) !== '')
    .map((message) => {
      const text = wordsOf(message);
      if (whole.has(text)) return { message: message.id, text, shown: 'whole' };
      const edit = edits.findLast((one) => hides(one, message));
      const told = sentences(text).every((sentence) => made.some((body) => body.includes(sentence)));
      return {
        message: message.id,
        text,
        shown: told ? 'summary' : 'no',
        ...(edit === undefined ? {} : { ref: edit.ref }),
      };
    });
}
