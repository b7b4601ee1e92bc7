/** Reading JSON that someone else wrote: nothing about it is known before it is looked at, and nothing here throws. */

/** A JSON object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown };

/** Whether a value is an object with named fields: no list, no null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value's fields, or none. */
export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

/** The value as a list, or an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value where it is a string. */
export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The value where it is a finite number. */
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Whether a text says nothing. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** What a text holds as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy without these fields, and without those that are undefined. */
export function omitFields(fields: Fields, ...keys: readonly string[]): Fields {
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) if (!keys.includes(key) && fields[key] !== undefined) rest[key] = fields[key];
  return rest;
}

/** Equal as data: the order of keys does not matter, and a field that is undefined is absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => isSameJson(one, b[i]));
  const [left, right] = [a as Fields, b as Fields];
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  return (
    keys.length === Object.keys(right).filter((key) => right[key] !== undefined).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  );
}
