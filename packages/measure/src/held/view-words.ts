import type { Message } from '@palimpsest/core';
import type { WordBook } from '../words/word-book.ts';

/** Which words a view holds, brought up to date by what changed since the view before. */
export interface WordCount {
  show(view: readonly Message[]): void;
  holds(number: number): boolean;
}

export function newWordCount(book: WordBook): WordCount {
  let shown: readonly Message[] = [];
  const counts: number[] = [];
  const add = (message: Message, by: 1 | -1): void => {
    for (const number of book.shown(message)) counts[number] = (counts[number] ?? 0) + by;
  };
  return {
    show(view) {
      let start = 0;
      while (start < view.length && shown[start] === view[start]) start++;
      let [oldEnd, newEnd] = [shown.length, view.length];
      while (oldEnd > start && newEnd > start && shown[oldEnd - 1] === view[newEnd - 1]) {
        oldEnd--;
        newEnd--;
      }
      for (let i = start; i < oldEnd; i++) add(shown[i]!, -1);
      for (let i = start; i < newEnd; i++) add(view[i]!, 1);
      shown = view;
    },
    holds: (number) => (counts[number] ?? 0) > 0,
  };
}
