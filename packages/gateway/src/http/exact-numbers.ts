import { randomBytes } from 'node:crypto';
import { findStringEnd } from './find-string-end.ts';

/**
 * Numbers of a text beyond 2^53, as they stood there, by what JavaScript makes of them. Of two that become the same nobody can tell
 * which is which: those are undefined, and stay rounded.
 */
export type ExactNumbers = ReadonlyMap<number, string | undefined>;

export const NO_NUMBERS: ExactNumbers = new Map();

/** Fewer digits are never rounded, unless they stand before a power. */
const LEAST_CHARS = 16;

const [QUOTE, ZERO, NINE, MINUS] = [0x22, 0x30, 0x39, 0x2d] as const;

export function findExactNumbers(text: Buffer): ExactNumbers {
  const found = new Map<number, string | undefined>();
  for (let at = 0; at < text.length; ) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) at = findStringEnd(text, at);
    else if (byte === MINUS || isDigit(byte)) {
      const end = findNumberEnd(text, at);
      noteNumber(found, text, at, end);
      at = end;
    } else at++;
  }
  return found;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** `+`, `-`, `.`, `e` and `E` stand inside numbers too. */
const isOfNumber = (byte: number): boolean =>
  isDigit(byte) || byte === 0x2b || byte === MINUS || byte === 0x2e || byte === 0x65 || byte === 0x45;

function findNumberEnd(text: Buffer, from: number): number {
  let at = from + 1;
  while (isOfNumber(text[at] ?? 0)) at++;
  return at;
}

function noteNumber(found: Map<number, string | undefined>, text: Buffer, from: number, to: number): void {
  const literal = text.toString('latin1', from, to);
  if (literal.length < LEAST_CHARS && !/e/i.test(literal)) return;
  const value = Number(literal);
  if (!(Math.abs(value) > Number.MAX_SAFE_INTEGER)) return;
  const isRounded = spellNumber(literal) !== spellNumber(String(value));
  const isOther = found.has(value) && found.get(value) !== literal;
  found.set(value, isRounded && !isOther ? literal : undefined);
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The same for all ways to write one number: its digits, and the power of ten behind them. */
function spellNumber(literal: string): string {
  const [, sign, whole = '', part = '', power = '0'] = NUMBER.exec(literal) ?? [];
  if (sign === undefined) return literal;
  const digits = (whole + part).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}

/** Nothing that a client sends has it: what begins with it stands for a number. */
const MARK = `\0${randomBytes(12).toString('hex')}`;
const MARKED = new RegExp(`"\\\\u0000${MARK.slice(1)}([^"]*)"`, 'g');

/** As `JSON.stringify` writes it, but for numbers that are known exactly. */
export function stringifyExactly(value: unknown, numbers: ExactNumbers): string | undefined {
  if (numbers.size === 0) return JSON.stringify(value);
  const marked = JSON.stringify(value, (_, one: unknown) => {
    const exact = typeof one === 'number' ? numbers.get(one) : undefined;
    return exact === undefined ? one : `${MARK}${exact}`;
  });
  return marked?.replace(MARKED, '$1');
}
