import { runInTurns } from '@palimpsest/core';
import type { Steps } from '@palimpsest/core/steps';
import { type ExactNumbers, NO_NUMBERS, stringifyExactly } from './exact-numbers.ts';

/** So many characters are one stretch of bytes. */
const STRETCH_CHARS = 65_536;

/** The bytes of a body, one stretch after the other: a large one is held once, and goes out a stretch at a time. */
export type Stretches = readonly Buffer[];

export const countBytes = (stretches: Stretches): number => stretches.reduce((sum, { length }) => sum + length, 0);

/** A body as `JSON.stringify` writes it, to the byte but for `numbers`, which are written as they came. Others have their turn while a large one is written. */
export const writeBody = (body: object, numbers: ExactNumbers = NO_NUMBERS): Promise<Stretches> =>
  runInTurns(stepsOfBytes(body, numbers));

function* stepsOfBytes(body: object, numbers: ExactNumbers): Steps<Stretches> {
  const stretches: Buffer[] = [];
  let text = '{';
  const flush = (): void => {
    stretches.push(Buffer.from(text));
    text = '';
  };
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    if (text !== '{' || stretches.length > 0) text += ',';
    text += `${JSON.stringify(key)}:`;
    if (!Array.isArray(value)) {
      text += stringifyExactly(value, numbers);
      yield;
      continue;
    }
    text += '[';
    for (const [i, one] of value.entries()) {
      text += `${i === 0 ? '' : ','}${stringifyExactly(one, numbers) ?? 'null'}`;
      if (text.length > STRETCH_CHARS) flush();
      yield;
    }
    text += ']';
  }
  text += '}';
  flush();
  return stretches;
}
