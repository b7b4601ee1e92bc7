import { alignCut } from '../text.ts';
import type { Excerpt } from './edit.ts';

/** The end of a head of at most `chars`: after a line, else after a word, where one ends in the last fifth. */
export function headEnd(source: string, chars: number): number {
  if (chars >= source.length) return source.length;
  if (chars <= 0) return 0;
  const least = Math.floor(chars * 0.8);
  const line = source.lastIndexOf('\n', chars - 1);
  if (line >= least) return line + 1;
  const space = source.lastIndexOf(' ', chars - 1);
  return space >= least ? space + 1 : alignCut(source, chars);
}

/** The start of a tail of at most `chars`: at a line's start where one lies in its first fifth. */
export function tailStart(source: string, chars: number): number {
  if (chars >= source.length) return 0;
  if (chars <= 0) return source.length;
  const from = source.length - chars;
  const line = source.indexOf('\n', from);
  if (line >= 0 && line + 1 - from <= chars * 0.2) return line + 1;
  const at = alignCut(source, from);
  return at === from ? from : from + 1;
}

/** Head and tail of a text around a mark. */
export function headAndTail(
  source: string,
  headChars: number,
  tailChars: number,
  mark: (cut: number) => string,
): Excerpt {
  const head = headEnd(source, headChars);
  const tail = Math.max(head, tailStart(source, tailChars));
  return [[0, head], mark(tail - head), [tail, source.length]];
}

/** The longest head of at most `bytes` of UTF-8, ended at a sensible place. */
export function headOfBytes(source: string, bytes: number): number {
  let used = 0;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    const pair = code >= 0xd800 && code <= 0xdbff && at + 1 < source.length;
    const size = pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (used + size > bytes) break;
    used += size;
    at += pair ? 2 : 1;
  }
  return headEnd(source, at);
}
