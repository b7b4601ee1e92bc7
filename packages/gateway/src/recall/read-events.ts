import { parseJson } from '@palimpsest/core/json';
import { type ExactNumbers, findExactNumbers, NO_NUMBERS, stringifyExactly } from '../http/exact-numbers.ts';

/** One event of a stream: as it came, and what it says. */
export interface StreamEvent {
  /** With the empty line behind it. */
  readonly raw: string;
  readonly name: string | undefined;
  /** Parsed; undefined for `[DONE]`, comments, and what is no JSON. */
  readonly data: unknown;
}

/** The events of a text that ends with a whole one. */
export function readEvents(text: string): readonly StreamEvent[] {
  return (text.match(/[\s\S]+?(?:\r\n\r\n|\n\n|\r\r|$)/g) ?? []).map((raw) => {
    const lines = raw.split(/\r\n|\n|\r/);
    const fieldOf = (name: string): readonly string[] =>
      lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : []));
    const data = fieldOf('data').join('\n');
    return { raw, name: fieldOf('event')[0], data: data === '' ? undefined : parseJson(data) };
  });
}

/** An event of our own making, in the form of those that it stands among; numbers of the event that it was made of are as they came. */
export const frameEvent = (name: string | undefined, data: object, madeOf = ''): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${stringifyExactly(data, readNumbers(madeOf))}\n\n`;

/** Few events have a number that is long enough to be rounded. */
const readNumbers = (raw: string): ExactNumbers =>
  /\d{16}/.test(raw) ? findExactNumbers(Buffer.from(raw)) : NO_NUMBERS;
