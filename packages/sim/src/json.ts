/** Reading what came over the wire: nothing about it is known before it is looked at. */

/** A JSON object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown };

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const given = (value: unknown): boolean => value !== undefined && value !== null;

export const isBlank = (text: string): boolean => text.trim() === '';

export function without(fields: Fields, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

/** The type's name as the vendors' validators spell it. */
export const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
