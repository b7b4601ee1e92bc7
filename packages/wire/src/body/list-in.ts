import { CompactionError } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';

/** The list a body must have; a body without it cannot be read at all. */
export function listIn(body: object, key: string, wire: string): readonly unknown[] {
  const list = asFields(body)[key];
  if (Array.isArray(list)) return list;
  throw new CompactionError(
    'bad-option',
    `${wire}: the body has no "${key}" list; pass the request body as it is sent.`,
  );
}
