import type { Json } from '@palimpsest/core';
import { asList, asNumber, type Fields, isFields } from '@palimpsest/core/json';

/** What readers of recordings need besides core's guards. Nothing here throws either. */

/** The value where it is an object. */
export const asFieldsOrNone = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

/** A string that says something. */
export const asWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The objects of a list. */
export const asRecords = (value: unknown): readonly Fields[] => asList(value).filter(isFields);

/** Follows keys inwards: `getField(line, 'message', 'usage')`. */
export function getField(value: unknown, ...keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) here = asFieldsOrNone(here)?.[key];
  return here;
}

/** What came out of JSON.parse is Json; this only says so to the compiler. */
export const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));

// Before this many milliseconds (September 2001) a number can only be seconds.
const MILLISECONDS_FROM = 1e12;

/** Milliseconds since 1970 from an ISO date, milliseconds or seconds. */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : time;
  }
  const number = asNumber(value);
  if (number === undefined || number <= 0) return undefined;
  return Math.round(number < MILLISECONDS_FROM ? number * 1000 : number);
}

/** The fields that are there, so that a spread leaves absent ones away. Unlike core's `omitFields` it keeps their types. */
export function omitUndefined<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Text that may be JSON, as what it holds; otherwise the text itself. */
export function parseOrKeep(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
