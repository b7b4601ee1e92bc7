import { estimateMessage, estimatePart, type Message, type Part } from '@palimpsest/core';
import { KINDS, type Kind } from './inspection.ts';

/** Estimated tokens by number of `KINDS`. */
export type Weights = readonly number[];

export const NO_WEIGHTS: Weights = KINDS.map(() => 0);

/** What made a message that nobody said. */
export type Made = 'summaries' | 'carried';

const counted = new WeakMap<Message, number>();

/** The estimate of a message, made once: most of the time that an inspection takes goes into it. */
export function countOnce(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = estimateMessage(message);
  counted.set(message, tokens);
  return tokens;
}

const numberOf = (kind: Kind): number => KINDS.indexOf(kind);

/** A message's tokens by kind: part by part, and what belongs to no part with the first of them. */
export function classifyMessage(message: Message, made?: Made): Weights {
  const weights = KINDS.map(() => 0);
  const total = countOnce(message);
  if (made !== undefined) {
    weights[numberOf(made)] = total;
    return weights;
  }
  let rest = total;
  // Of a single part there is nothing to tell apart.
  for (const part of message.parts.length === 1 ? [] : message.parts) {
    const tokens = estimatePart(part);
    const kind = numberOf(kindOfPart(message, part));
    weights[kind] = (weights[kind] ?? 0) + tokens;
    rest -= tokens;
  }
  const [first] = message.parts;
  const kind = numberOf(first === undefined ? 'system' : kindOfPart(message, first));
  weights[kind] = (weights[kind] ?? 0) + rest;
  return weights;
}

function kindOfPart({ role, origin }: Message, { type }: Part): Kind {
  if (type === 'call') return 'calls';
  if (type === 'result' || origin === 'tool') return 'results';
  if (role === 'assistant') return 'assistant';
  if (origin === 'palimpsest') return 'summaries';
  return origin === 'harness' ? 'system' : 'user';
}

/** The kind that most of the tokens are of. */
export const mainKind = (weights: Weights): number =>
  weights.reduce((best, tokens, kind) => (tokens > (weights[best] ?? 0) ? kind : best), 0);

export const sumWeights = (weights: Weights): number => weights.reduce((sum, tokens) => sum + tokens, 0);
