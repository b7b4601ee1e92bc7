import type { JournalRecord } from '@palimpsest/core';

/** Small ones, some of a few pages, a few so large that a kill can fall into the middle of their write. */
const sizeOf = (n: number): number => (n % 11 === 0 ? 1_000_000 : n % 5 === 0 ? 20_000 : 40 + (n % 7) * 30);

/** The record that belongs at place `n`, so that a reader can tell what is missing or changed. */
export const numberedRecord = (n: number, chars = sizeOf(n)): JournalRecord => ({
  v: 1,
  type: 'message',
  message: { id: `m${n}`, role: 'user', origin: 'human', parts: [{ type: 'text', text: `${n} `.padEnd(chars, 'é') }] },
});

export const stashText = (n: number): string => `${n} `.padEnd(30_000, 'stash ');
