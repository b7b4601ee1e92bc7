import { type Message, wordsOf } from '@palimpsest/core';

/** A message by its id, or the user's newest that holds the words. */
export function findSaid(transcript: readonly Message[], wanted: string): Message | undefined {
  const words = wanted.trim().toLowerCase();
  return (
    transcript.find(({ id }) => id === words) ??
    transcript.findLast((one) => wordsOf(one).trim() !== '' && wordsOf(one).toLowerCase().includes(words))
  );
}
