import { StoreError } from './store-error.ts';

// File systems allow 255 bytes; the rest is left for tools that append a suffix.
const MOST_BYTES = 200;

const escapeCharacter = (character: string): string => `~${character.codePointAt(0)!.toString(36).padStart(4, '0')}`;

/**
 * The directory name of a session: reversible, and the same on file systems that ignore case or normalize Unicode,
 * because only lower-case ASCII stands in it.
 */
export function encodeSessionName(id: string): string {
  if (typeof id !== 'string' || id === '')
    throw new StoreError('bad-id', 'a session id must be a string that is not empty');
  let name = '';
  for (const character of id) name += /^[a-z0-9_-]$/.test(character) ? character : escapeCharacter(character);
  if (name.length > MOST_BYTES)
    throw new StoreError(
      'bad-id',
      `the session id "${id.slice(0, 40)}…" needs a file name of ${name.length} bytes, more than ${MOST_BYTES}: use a shorter id (each character besides a-z, 0-9, "_" and "-" takes 5)`,
    );
  return name;
}

/** The id behind a directory name; undefined where this store did not make the name. */
export function decodeSessionName(name: string): string | undefined {
  if (name.length > MOST_BYTES || !/^(?:[a-z0-9_-]|~[a-z0-9]{4})+$/.test(name)) return undefined;
  const points = name.match(/~[a-z0-9]{4}|./g)!;
  let id = '';
  for (const point of points) {
    if (!point.startsWith('~')) id += point;
    else {
      const code = Number.parseInt(point.slice(1), 36);
      if (code > 0x10ffff) return undefined;
      id += String.fromCodePoint(code);
    }
  }
  // Two spellings of one id would be two directories for it; only the one `nameOfSession` gives counts.
  return encodeSessionName(id) === name ? id : undefined;
}
