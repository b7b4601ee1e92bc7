import type { Script, SimReply, SimRequest } from './reply.ts';

/** A reply, or what makes one of the request. */
export type ProgramTurn = SimReply | ((request: SimRequest) => SimReply | Promise<SimReply>);

/** Says its turns one after the other; the last one again and again. */
export function program(turns: readonly ProgramTurn[]): Script {
  if (turns.length === 0) throw new RangeError('a program needs at least one turn');
  return (request) => {
    const turn = turns[Math.min(request.turn, turns.length - 1)]!;
    return typeof turn === 'function' ? turn(request) : turn;
  };
}
