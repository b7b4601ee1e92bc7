import type { Json } from '@palimpsest/core';

/** Reading JSON that someone else wrote: nothing is certain, nothing throws. */

export type Fields = { readonly [key: string]: unknown };

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A string that says something. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const recordsOf = (value: unknown): readonly Fields[] =>
  listOf(value).filter((item): item is Fields => fieldsOf(item) !== undefined);

/** Follows keys inwards: `at(line, 'message', 'usage')`. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) here = fieldsOf(here)?.[key];
  return here;
}

/** What came out of JSON.parse is Json; this only says so to the compiler. */
export const jsonOf = (value: unknown): Json => (value === undefined ? null : (value as Json));

// Before this many milliseconds (September 2001) a number can only be seconds.
const MILLISECONDS_FROM = 1e12;

/** Milliseconds since 1970 from an ISO date, milliseconds or seconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : time;
  }
  const number = numberOf(value);
  if (number === undefined || number <= 0) return undefined;
  return Math.round(number < MILLISECONDS_FROM ? number * 1000 : number);
}

/** The fields that are there, so that a spread leaves absent ones away. */
export function given<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Text that may be JSON, as what it holds; otherwise the text itself. */
export function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Equal as data: key order does not matter, a key that is undefined is absent. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, index) => same(value, b[index]))
    );
  const [left, right] = [a as Fields, b as Fields];
  const keysOf = (fields: Fields): string[] => Object.keys(fields).filter((key) => fields[key] !== undefined);
  const keys = keysOf(left);
  return (
    keys.length === keysOf(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
