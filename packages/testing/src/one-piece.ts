import type { EventLoop } from '@palimpsest/core';

/** A loop that never wants its turn: for tests that count turns, or whose time passes by them. */
export const inOnePiece: EventLoop = {
  isDue: () => false,
  turn: () => Promise.reject(new Error('nobody is to wait for a turn')),
};
