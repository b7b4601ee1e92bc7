/** Texts that stay well-formed: half a surrogate pair is valid JSON on no wire, and a provider refuses all that holds one. */

/** In Node from 20 on, and in every browser since 2023; the library of ES2023 does not declare it. */
interface MendableText {
  toWellFormed(): string;
}

/** The text with U+FFFD in the place of each half of a pair that stands alone. It keeps its length. */
export const toWellFormed = (text: string): string => (text as unknown as MendableText).toWellFormed();

/** The place itself, or the one before it where a cut there would part a pair. */
export function alignCut(text: string, at: number): number {
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}

/** The first characters of a text, so many at most: a pair stays whole or goes. */
export const cutHead = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, alignCut(text, Math.max(0, chars)));

/** The last characters of a text, so many at most: a pair stays whole or goes. */
export function cutTail(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const from = text.length - Math.max(0, chars);
  return text.slice(alignCut(text, from) === from ? from : from + 1);
}

/** A text on one line, whatever stands in it. */
export const toOneLine = (text: string): string => text.replace(/[\s\u0085\u2028\u2029]+/g, ' ').trim();
