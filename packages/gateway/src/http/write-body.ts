import { type ExactNumbers, NO_NUMBERS, stringifyExactly } from './exact-numbers.ts';

/** A body as `JSON.stringify` writes it, to the byte but for `numbers`, which are written as they came. */
export const writeBody = (body: object, numbers: ExactNumbers = NO_NUMBERS): Buffer =>
  Buffer.from(stringifyExactly(body, numbers) ?? '');
