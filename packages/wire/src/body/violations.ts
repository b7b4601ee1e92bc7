import { isFields } from '@palimpsest/core/json';
import type { Violation } from '../wire.ts';
import { isWellFormed } from './well-formed.ts';

/** What a check finds, one by one. */
export type Finds = Generator<Violation, void>;

export const violation = (path: string, rule: string, message: string): Violation => ({ path, rule, message });

/** Bytes of the body as it goes over the wire. */
export const bytesOf = (body: unknown): number => Buffer.byteLength(JSON.stringify(body) ?? '', 'utf8');

/** The providers read JSON strictly: half a surrogate pair in any text, or in any key, and nothing of the body is read. */
export function* checkCharacters(value: unknown, path = ''): Finds {
  if (isWellFormed(value)) return;
  if (typeof value !== 'object' || value === null)
    return yield violation(path, 'lone-surrogate', `${path}: no low surrogate in string`);
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const [key, one] of Object.entries(value)) {
    if (!isWellFormed(key) && isFields(value))
      yield violation(path, 'lone-surrogate', `${path}: no low surrogate in the name of a field`);
    yield* checkCharacters(one, at(key));
  }
}

/** The names of the request's own tools, each with its path. */
export function* checkToolNames(named: Iterable<readonly [path: string, name: unknown]>, pattern: RegExp): Finds {
  for (const [path, name] of named)
    if (typeof name !== 'string' || !pattern.test(name))
      yield violation(path, 'tool-name', `${path}: String should match pattern '${pattern.source}'`);
}
