import { CompactionError, type Json } from '@palimpsest/core';

/** Reading values that came over a wire: nothing about them is known before it is looked at. */

/** A JSON object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown };

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const isBlank = (value: string): boolean => value.trim() === '';

/** Bodies are JSON by the time they are sent; what stands in one is taken as such. */
export const asJson = (value: unknown): Json => value as Json;

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function without(fields: Fields, ...keys: readonly string[]): Fields {
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) if (!keys.includes(key) && fields[key] !== undefined) rest[key] = fields[key];
  return rest;
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson((a as Fields)[key], (b as Fields)[key]));
}

/** The list a body must have; a body without it cannot be read at all. */
export function listIn(body: object, key: string, wire: string): readonly unknown[] {
  const list = (body as Fields)[key];
  if (Array.isArray(list)) return list;
  throw new CompactionError(
    'bad-option',
    `${wire}: the body has no "${key}" list; pass the request body as it is sent.`,
  );
}
