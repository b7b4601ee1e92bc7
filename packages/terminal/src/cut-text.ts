/** Cuts by characters that leave every pair whole: a provider refuses a request that holds half of one. */

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const splitsPair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));

/** At most so many characters from the beginning. */
export const keepHead = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : text.slice(0, splitsPair(text, maxChars) ? maxChars - 1 : Math.max(0, maxChars));

/** At most so many characters from the end. */
export function keepTail(text: string, maxChars: number): string {
  const at = text.length - Math.max(0, maxChars);
  return at <= 0 ? text : text.slice(splitsPair(text, at) ? at + 1 : at);
}

/** A text that somebody else has cut: what is left of a pair is shown as such. */
export const markHalves = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
