import { type Budget, dropOldestRounds, type Layer, type Message, type NewMessage, partText } from '../../src/index.ts';
import { type Circumstances, inChars, pressedTo, round, walkWith } from './walks.ts';

/** A round of 515 characters, which count as tokens here. */
export const rounds = (from: number, to: number, chars = 500): readonly NewMessage[] =>
  Array.from({ length: to - from }, (_, i) => round(`${from + i}`, 'bash', { command: 'x' }, 'y'.repeat(chars))).flat();
export const floor = (
  history: readonly NewMessage[],
  target: number,
  told: Circumstances = {},
  figures: Partial<Budget> = {},
  layers: readonly Layer[] = [],
) =>
  walkWith(history, [...layers, dropOldestRounds()], {
    ...inChars,
    budget: pressedTo(target, { effective: 10_000, ...figures }),
    ...told,
  });
export const texts = (view: readonly Message[]): readonly string[] =>
  view.map((message) => message.parts.map(partText).join('|'));
