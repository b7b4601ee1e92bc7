import { CompactionError, type Limits, type Message, type WireRules } from '@palimpsest/core';
import type { Decoded } from '@palimpsest/wire';
import type { KeepOptions, Turn } from './keep-options.ts';

/** What a body tells: at least one message. */
export type Messages = readonly [Message, ...Message[]];

export interface Terms {
  readonly window: number;
  readonly maxOutput: number | undefined;
  readonly rules: WireRules;
  readonly limits: Limits;
}

/** A turn and what was read from it. */
export interface Reading<Body> {
  readonly turn: Turn<Body>;
  readonly decoded: Decoded;
  /** What the body still tells: from the newest server-side compaction on. */
  readonly messages: Messages;
  readonly terms: Terms;
}

/** Reads a turn. Undefined: the body must go as it is. `learned` are the windows that providers stated, by model. */
export function readTurn<Body>(
  turn: Turn<Body>,
  { window: stated, limits }: KeepOptions,
  learned: ReadonlyMap<string, number>,
): Reading<Body> | undefined {
  const decoded = turn.format.decode(turn.body);
  const [first, ...others] = decoded.messages.slice(decoded.from ?? decoded.boundary ?? 0);
  if (decoded.partial || first === undefined) return undefined;
  const told = requireWindow(typeof stated === 'function' ? stated(turn.model) : stated, turn.model);
  const window = Math.min(told, learned.get(turn.model) ?? told);
  // A limit that is none is the provider's to answer.
  const maxOutput = turn.maxOutput !== undefined && turn.maxOutput > 0 ? Math.min(turn.maxOutput, window) : undefined;
  const terms = { window, maxOutput, rules: decoded.rules, limits: { ...decoded.limits, ...limits } };
  return { turn, decoded, messages: [first, ...others], terms };
}

export function requireWindow(window: number | undefined, model: string): number {
  if (window !== undefined && Number.isFinite(window) && window > 0) return window;
  throw new CompactionError(
    'window-unknown',
    `the context window of ${model} is unknown. State it: palimpsest({ window: 200_000 }), or for several models ` +
      'palimpsest({ window: (model) => windows[model] }).',
  );
}
