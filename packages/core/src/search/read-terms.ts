import { foldUnit, Kind, kindOf } from './fold-char.ts';

/**
 * A term is a number: what is searched by is hashed, so that an index holds no strings. The lowest bits are free for a
 * count. Two words that fall together cost a search a little of its order, and nothing of what it shows.
 */
export const COUNT_BITS = 6;
const COUNT_MASK = (1 << COUNT_BITS) - 1;
/** Set on a term that stands for a name of several words, or a path. */
export const WHOLE = 0x8000_0000;

/** Longer ones are data (base64, minified code). */
const LONGEST_TOKEN = 200;
const DOT = 0x2e;
const SLASH = 0x2f;
const UNDERSCORE = 0x5f;
const DOLLAR = 0x24;

/** Characters that join words to a name: `a.b`, `a/b`, `a-b`, `a\b`. */
const isJoiner = (unit: number): boolean => unit === DOT || unit === SLASH || unit === 0x2d || unit === 0x5c;
const isStep = (unit: number): boolean => unit === SLASH || unit === 0x5c;
/** Belongs to a name and to no word: `snake_case`, `$scope`. */
const isSeam = (unit: number): boolean => unit === UNDERSCORE || unit === DOLLAR;
const isWordUnit = (unit: number): boolean => {
  const kind = kindOf(unit);
  return kind === Kind.lower || kind === Kind.upper || kind === Kind.digit || kind === Kind.mark;
};

export type AddTerm = (term: number) => void;

/**
 * Reads the terms of a stretch of a text: the words of names (`camelCase`, `snake_case`) as well as the names whole, the
 * steps of paths, last names with and without their ending; where a script has no spaces, pairs of characters.
 */
export function readTerms(text: string, from: number, to: number, add: AddTerm): void {
  let at = from;
  while (at < to) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    if (kind === Kind.dense) at = readDense(text, at, to, add);
    else if (kind !== Kind.gap || isSeam(unit)) {
      const end = findTokenEnd(text, at, to);
      if (end - at <= LONGEST_TOKEN) readToken(text, at, end, add);
      at = end;
    } else at++;
  }
}

function findTokenEnd(text: string, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit) || isSeam(unit)) end = at + 1;
    // Joiners belong to it only with something behind them.
    else if (!isJoiner(unit)) break;
  }
  return end;
}

function readDense(text: string, from: number, to: number, add: AddTerm): number {
  let end = from;
  while (end < to && kindOf(text.charCodeAt(end)) === Kind.dense) end++;
  if (end - from === 1) add(hashTerm(text, from, end, 0));
  for (let at = from; at + 1 < end; at++) add(hashTerm(text, at, at + 2, 0));
  return end;
}

function readToken(text: string, from: number, to: number, add: AddTerm): void {
  let [word, name, step, stepBefore, dot] = [-1, from, from, from, -1];
  let [words, names, steps] = [0, 0, 0];
  for (let at = from; at <= to; at++) {
    const unit = at < to ? text.charCodeAt(at) : SLASH;
    const isInWord = isWordUnit(unit);
    if (word >= 0 && (!isInWord || beginsWord(text, at, to))) {
      add(hashTerm(text, word, stemEnd(text, word, at), 0));
      words++;
      word = -1;
    }
    if (isInWord && word < 0) word = at;
    if (isInWord || isSeam(unit)) continue;
    if (words > 1) add(hashTerm(text, name, at, WHOLE));
    if (at > name) names++;
    [words, name] = [0, at + 1];
    if (unit === DOT) dot = at;
    if (!isStep(unit)) continue;
    if (names > 1) add(hashTerm(text, step, at, WHOLE));
    if (names > 2 && dot > step) add(hashTerm(text, step, dot, WHOLE));
    if (at > step) steps++;
    [names, dot] = [0, -1];
    if (at < to) [stepBefore, step] = [step, at + 1];
  }
  if (steps > 1) add(hashTerm(text, stepBefore, to, WHOLE));
  if (steps > 2) add(hashTerm(text, from, to, WHOLE));
}

/** `fooBar`, `HTTPServer`: a capital behind a small letter, or before one. */
function beginsWord(text: string, at: number, to: number): boolean {
  if (kindOf(text.charCodeAt(at)) !== Kind.upper) return false;
  const before = kindOf(text.charCodeAt(at - 1));
  if (before === Kind.lower || before === Kind.digit) return true;
  return before === Kind.upper && at + 1 < to && kindOf(text.charCodeAt(at + 1)) === Kind.lower;
}

/** Without the endings by which English words differ most: `tests`, `tested`, `testing`. What a word means elsewhere stays its own. */
function stemEnd(text: string, from: number, to: number): number {
  if (to - from <= 4) return to;
  const unit = (back: number): number => foldUnit(text.charCodeAt(to - back));
  const [last, second, third] = [unit(1), unit(2), unit(3)];
  if (last === 0x67 && second === 0x6e && third === 0x69) return to - 3;
  if ((last === 0x64 || last === 0x73) && second === 0x65) return to - 2;
  return last === 0x73 ? to - 1 : to;
}

/** FNV-1a over what the characters fold to. */
function hashTerm(text: string, from: number, to: number, flag: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (kindOf(unit) === Kind.mark) continue;
    hash = Math.imul(hash ^ foldUnit(unit), 0x01000193);
  }
  // The high bits of FNV are mixed worst for short words.
  hash ^= hash >>> 15;
  return (((hash << COUNT_BITS) & 0x7fff_ffff & ~COUNT_MASK) | flag) >>> 0;
}
