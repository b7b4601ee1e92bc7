import { hash as digest } from 'node:crypto';
import { type Fields, isFields } from '@palimpsest/core/json';

export const hash = (...texts: readonly string[]): string => digest('sha256', texts.join('\0'), 'base64url');

/**
 * A block as the vendor's renderer sees it: the order of its own fields says nothing and nulls are absent, but what a
 * call holds is text to the model, so its keys keep their order.
 */
export function canonicalize(block: unknown): string {
  if (!isFields(block)) return JSON.stringify(block) ?? '';
  const fields = block as Fields;
  const kept = Object.keys(fields)
    .filter((key) => fields[key] !== undefined && fields[key] !== null)
    .sort();
  return `{${kept.map((key) => `${JSON.stringify(key)}:${JSON.stringify(fields[key])}`).join(',')}}`;
}
