import { createHash } from 'node:crypto';

// 128 of SHA-256's 256 bits: a reference is shown to models, where each character costs, and chance meets no two alike.
const HASH_CHARS = 32;
const REF = /^[0-9a-f]{32}(-utf16)?$/;

// Half of a surrogate pair has no UTF-8; such a text is kept as UTF-16 and its reference says so.
const LONE_SURROGATE = /\p{Surrogate}/u;

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARS);

/** Whether a string has the form of a reference; anything else names no text. */
export const isStashRef = (ref: string): boolean => REF.test(ref);

/** A text as bytes and the reference they have in every store. */
export function encodeText(text: string): { readonly ref: string; readonly bytes: Buffer } {
  const wide = LONE_SURROGATE.test(text);
  const bytes = Buffer.from(text, wide ? 'utf16le' : 'utf8');
  return { ref: wide ? `${hashOf(bytes)}-utf16` : hashOf(bytes), bytes };
}

/** The text behind a reference; undefined where the bytes are not those it was made from. */
export function decodeText(ref: string, bytes: Buffer): string | undefined {
  if (hashOf(bytes) !== ref.slice(0, HASH_CHARS)) return undefined;
  return bytes.toString(ref.endsWith('-utf16') ? 'utf16le' : 'utf8');
}
