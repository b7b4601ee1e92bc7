import { code } from './samples/code.ts';
import { type Dice, dice, generated, repeated } from './samples/generated.ts';
import { languages, mixed } from './samples/languages.ts';

export interface Sample {
  readonly name: string;
  readonly kind: 'language' | 'code' | 'generated' | 'repeated';
  readonly text: string;
}

export const LENGTHS = [200, 2_000, 20_000] as const;

/** Sentences or lines of a text in an order of their own, until there are enough. */
function shuffled(text: string, length: number, d: Dice, cut: RegExp): string {
  const pieces = text.split(cut);
  let out = '';
  while (out.length < length) out += pieces[d.below(pieces.length)]!;
  return trim(out, length);
}

function made(piece: (d: Dice) => string, length: number, d: Dice): string {
  let out = '';
  while (out.length < length) out += piece(d);
  return trim(out, length);
}

/** Never between the halves of a pair. */
const trim = (text: string, length: number): string =>
  (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(length) & 0xfc00) === 0xdc00
    ? text.slice(0, length - 1)
    : text.slice(0, length);

export function samples(length: number, seed = 1): Sample[] {
  const d = dice(seed * 7919 + length);
  return [
    ...Object.entries({ ...languages, mixed }).map(
      ([name, text]): Sample => ({
        name,
        kind: 'language',
        text: shuffled(text, length, d, /(?<=[.।。!?]\s?)(?=\S)|(?<=\n)/u),
      }),
    ),
    ...Object.entries(code).map(([name, text]): Sample => ({ name, kind: 'code', text: made(() => text, length, d) })),
    ...Object.entries(code).map(
      ([name, text]): Sample => ({
        name: `${name}, lines shuffled`,
        kind: 'code',
        text: shuffled(text, length, d, /(?<=\n)/),
      }),
    ),
    ...Object.entries(generated).map(
      ([name, piece]): Sample => ({ name, kind: 'generated', text: made(piece, length, d) }),
    ),
    ...repeated.map(
      (piece): Sample => ({ name: JSON.stringify(piece), kind: 'repeated', text: made(() => piece, length, d) }),
    ),
  ];
}
