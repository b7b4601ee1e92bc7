import type { Json } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { makeWellFormed } from './well-formed.ts';

/** Some wires carry a call's input as a string of JSON; models also write strings that are none. */
export function parseInput(raw: string): Json {
  if (raw.trim() === '') return {};
  try {
    return makeWellFormed(JSON.parse(raw) as Json);
  } catch {
    return raw;
  }
}

/** The model's own spelling, kept where writing the input anew would give other bytes. */
export const spelling = (raw: string, input: Json): { readonly arguments?: string } =>
  JSON.stringify(input) === raw ? {} : { arguments: raw };

/** An edit may have changed the input since; then the old spelling is void. */
export function spellArguments(input: Json, spelled: unknown): string {
  if (typeof spelled === 'string' && isSameJson(parseInput(spelled), input)) return spelled;
  return JSON.stringify(input);
}
