import type { EventLoop } from '@palimpsest/core';

/** A loop that is due behind every step, and counts its turns; at each of them somebody may do something. */
export function afterEveryStep(onTurn: (turn: number) => unknown = () => {}): EventLoop & { readonly turns: number } {
  const loop = {
    turns: 0,
    isDue: () => true,
    async turn() {
      await onTurn(++loop.turns);
    },
  };
  return loop;
}
