import { expect } from 'vitest';
import {
  assistant,
  type Budget,
  type Fact,
  type FoldEdit,
  type Layer,
  type Message,
  type Need,
  type NewMessage,
  type SummarizeHistoryOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { type Circumstances, editsOf, idsOf, inChars, pressedTo, walkWith } from './walks.ts';

/** Turns of 1,000 characters each, which count as tokens here: a question of 20, an answer of 980. */
export const turns = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) => [
    user(`question number ${i}?`.padEnd(20, '!'), `u${i}`),
    assistant(`answer ${i} `.repeat(200).slice(0, 980), `a${i}`),
  ]).flat();
export const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => [`u${from + i}`, `a${from + i}`]).flat();
/** The head of these turns: the first question, which stays in every view, and of which nothing can be compacted. */
const HEAD_CHARS = 20;
/** Pressure, with these figures for what stands behind the head. */
export const tight = ({ target = 5_000, effective = 10_000, ...figures }: Partial<Budget> = {}): Budget =>
  pressedTo(target + HEAD_CHARS, { effective: effective + HEAD_CHARS, ...figures });
/** A layer of a preset that folds what users type, so that spans are whole runs of messages. The head stays all the same. */
export const folding = (layer: Layer): Layer => ({ ...layer, rules: { ...layer.rules, keepsUserText: false } });
export const summed = (options: SummarizeHistoryOptions = {}, told: Circumstances = {}, history = turns(10)) =>
  walkWith(history, [folding(summarizeHistory({ attach: false, ...options }))], {
    ...inChars,
    budget: tight(),
    ...told,
  });
/** The ids of a view behind its head, the first request, which stays in every one. */
export function idsBehindHead(view: readonly Message[]): readonly string[] {
  expect(view[0]).toMatchObject({ id: 'u0', origin: 'human' });
  return idsOf(view.slice(1));
}
export const markOf = (made: ReturnType<typeof summed>) =>
  editsOf(made).flatMap((edit) => (edit as FoldEdit).summary ?? [])[0];

export const told = (key: string, text: string, more: Partial<Extract<Fact, { type: 'summary' }>> = {}): Fact => ({
  type: 'summary',
  key,
  text,
  flagged: [],
  calls: 1,
  usage: {},
  ...more,
});
export const summaryNeed = (made: { needs: readonly Need[] }) => made.needs[0] as Extract<Need, { type: 'summary' }>;
