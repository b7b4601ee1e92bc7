import {
  assistant,
  type Budget,
  type Fact,
  type FoldEdit,
  type Need,
  type NewMessage,
  type SummarizeHistoryOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { type Circumstances, editsOf, inChars, pressedTo, walkWith } from './walks.ts';

/** Turns of 1,000 characters each, which count as tokens here: a question of 20, an answer of 980. */
export const turns = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) => [
    user(`question number ${i}?`.padEnd(20, '!'), `u${i}`),
    assistant(`answer ${i} `.repeat(200).slice(0, 980), `a${i}`),
  ]).flat();
export const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => [`u${from + i}`, `a${from + i}`]).flat();
export const tight = (figures: Partial<Budget> = {}): Budget => pressedTo(5_000, { effective: 10_000, ...figures });
export const summed = (options: SummarizeHistoryOptions = {}, told: Circumstances = {}, history = turns(10)) =>
  walkWith(history, [summarizeHistory({ attach: false, ...options })], { ...inChars, budget: tight(), ...told });
export const markOf = (made: ReturnType<typeof summed>) => (editsOf(made)[0] as FoldEdit | undefined)?.summary;

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
