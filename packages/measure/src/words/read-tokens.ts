import { isCommonName } from './common-names.ts';

/**
 * What stands in a text, word by word: a path's steps, a name's parts and the whole are all words. Independent of how the
 * digest finds and ranks identifiers, so that the digest can be measured with it.
 */
const TOKEN =
  /https?:\/\/[^\s"'`<>()]+|--[a-z][\w-]+|(?<![\w@+-])[~.]{0,2}\/?(?:[\w@.+-]{1,100}\/)+[\w@.+-]*|[A-Za-z_$][\w$]*(?:[.-][\w$]+)*|\d+(?:\.\d+)*/g;
const TAIL = /[.\-+/]+$/;

/** Longer ones are data (base64, minified code). */
const LONGEST = 200;

/** An exact string that no paraphrase can stand for (a path, a name, a flag, a number), and not one that everybody knows. */
export const isIdentifier = (word: string): boolean => hasIdentifierShape(word) && !isCommonName(word);

function hasIdentifierShape(word: string): boolean {
  if (/^https?:/.test(word)) return true;
  if (word.startsWith('--')) return word.length > 3;
  if (word.includes('/')) return word.length >= 4 && /[A-Za-z]/.test(word);
  if (/^\d/.test(word)) return word.length >= 3;
  return word.length >= 4 && /[a-z][A-Z]|_|\.[A-Za-z]|\d|^[A-Z]{2,}$/.test(word) && !/^_+$/.test(word);
}

/** The tokens of a text as they stand, each as often as it does. */
export function* readTokens(text: string): Generator<string> {
  for (const { token } of placeTokens(text)) yield token;
}

/** The tokens of a text with the places at which they begin. */
export function* placeTokens(text: string): Generator<{ readonly token: string; readonly at: number }> {
  for (const { 0: match, index } of text.matchAll(TOKEN)) {
    const token = TAIL.test(match) ? match.replace(TAIL, '') : match;
    if (token !== '' && token.length <= LONGEST) yield { token, at: index };
  }
}

/** A token and everything in it that could be asked for by itself. */
export function* splitToken(token: string): Generator<string> {
  yield token;
  if (token.startsWith('--') || !/[/.-]/.test(token)) return;
  for (let at = token.indexOf('/'); at >= 0; at = token.indexOf('/', at + 1)) {
    if (at > 0) yield token.slice(0, at);
    yield token.slice(at + 1);
  }
  for (const step of token.split('/')) {
    if (step !== token) yield step;
    for (let at = step.indexOf('.', 1); at >= 0; at = step.indexOf('.', at + 1)) {
      yield step.slice(0, at);
      yield step.slice(at + 1);
    }
    if (step.includes('-')) yield* step.split(/[.-]/);
  }
}
