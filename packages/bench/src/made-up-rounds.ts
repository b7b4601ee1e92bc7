import { assistant, call, type NewMessage, result, results, user } from '@palimpsest/core';
import { newDice } from './dice.ts';

const WORDS = 20_000;

/**
 * Text as sessions have it: few words stand everywhere, most stand seldom, and names are made of words. With `names` there are so many
 * names, and like words they come again; else nearly every one is new.
 */
export function newWriter(seed: number, names?: number): (chars: number) => string {
  const roll = newDice(seed);
  const word = (): string => `w${Math.floor(WORDS ** roll()).toString(36)}`;
  const newName = (): string => `${word()}${word().toUpperCase()}_${word()}`;
  const known = Array.from({ length: names ?? 0 }, newName);
  const name = (): string => known[Math.floor(known.length ** roll()) - 1] ?? newName();
  const token = (): string => (roll() < 0.2 ? name() : word());
  return (chars) => {
    const lines: string[] = [];
    for (let length = 0; length < chars; ) {
      const line = Array.from({ length: 8 }, token).join(' ');
      lines.push(line);
      length += line.length + 1;
    }
    return lines.join('\n');
  };
}

/** A question, a call with a long result, and an answer. */
export const makeRound = (number: number, write: (chars: number) => string): readonly NewMessage[] => [
  user(write(200)),
  assistant([call(`c${number}`, 'read_file', { path: `src/module-${number % 300}.ts` })]),
  results([result(`c${number}`, write(8_000))]),
  assistant(write(400)),
];

/** Time of the processor: what others do on the machine meanwhile does not count. */
export function timeMs(act: () => unknown): number {
  const start = process.cpuUsage();
  act();
  const { user: own, system } = process.cpuUsage(start);
  return (own + system) / 1_000;
}
