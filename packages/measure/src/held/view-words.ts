import type { Message } from '@palimpsest/core';
import type { WordBook } from '../words/word-book.ts';

/** Which words a view holds, brought up to date by what changed since the view before. */
export interface ViewWords {
  update(view: readonly Message[]): void;
  has(number: number): boolean;
}

export function newViewWords(book: WordBook): ViewWords {
  let shown: readonly Message[] = [];
  const counts: number[] = [];
  const count = (messages: readonly Message[], by: 1 | -1): void => {
    for (const message of messages)
      for (const number of book.readShown(message)) counts[number] = (counts[number] ?? 0) + by;
  };
  return {
    update(view) {
      let start = 0;
      while (start < view.length && shown[start] === view[start]) start++;
      let [oldEnd, newEnd] = [shown.length, view.length];
      while (oldEnd > start && newEnd > start && shown[oldEnd - 1] === view[newEnd - 1]) {
        oldEnd--;
        newEnd--;
      }
      count(shown.slice(start, oldEnd), -1);
      count(view.slice(start, newEnd), 1);
      shown = view;
    },
    has: (number) => (counts[number] ?? 0) > 0,
  };
}
