import { alignCut } from '../../text.ts';
import { addUnit, hashToken } from '../evidence/scan-tokens.ts';

/** A statement is no longer than this; code is one line, prose a sentence. */
const longest = { line: 160, sentence: 240 };
/** In a longer line, what stands before the identifier up to here belongs to it. */
const leadChars = 60;

const bullet = /^(?:[-*•>#]+ )+/;
/** Of a listing. */
const numbering = /^\d+(?:[→|│\t]|:(?!\d))\s*/;
const sentenceEnd = /[.!?…:]["')\]*`]{0,2}\s|[。！？；]/g;

/** Where a statement stands in its text; moved on from one to the next. */
export interface Bounds {
  start: number;
  end: number;
  /** It is a whole line. */
  isWhole: boolean;
  /** Of the line that it stands in. */
  lineStart: number;
  lineEnd: number;
}

/** Those of no statement, before the first one of a text. */
export const startBounds = (): Bounds => ({ start: 0, end: -1, isWhole: false, lineStart: 0, lineEnd: -1 });

/** Moves on to the statement around a place of the text, which stands behind the one before. */
export function moveBounds(bounds: Bounds, text: string, index: number, isProse: boolean): void {
  // A long line has many statements; its ends are not looked for again.
  while (index >= bounds.lineEnd) {
    bounds.lineStart = bounds.lineEnd + 1;
    const newline = text.indexOf('\n', bounds.lineStart);
    bounds.lineEnd = newline < 0 ? text.length : newline;
  }
  const { lineStart, lineEnd } = bounds;
  const most = isProse ? longest.sentence : longest.line;
  let [start, end] = [lineStart, lineEnd];
  if (end - start > most || index - start > most - 40) {
    if (end - start > most) [start, end] = isProse ? findSentence(text, index, lineStart, lineEnd) : [start, end];
    if (index - start > most - 40) start = backToBlank(text, Math.max(start, index - leadChars), index);
    if (end - start > most) end = Math.max(index + 1, cutAtBlank(text, start, start + most));
  }
  bounds.start = start;
  bounds.end = end;
  bounds.isWhole = start === lineStart && end === lineEnd;
}

/** A statement as it is shown. */
export interface Shown {
  text: string;
  hash: number;
  /** Perhaps a place in a file stands before it: a digit behind a colon or a dash. */
  mayHavePlace: boolean;
  /** Perhaps a value stands in it. */
  mayHoldValue: boolean;
}

/** Cuts a statement out of its text. Most need only be trimmed, which one look at each character tells, and its hash besides. */
export function cutStatement(shown: Shown, text: string, { start, end }: Bounds, isProse: boolean): void {
  let first = start;
  let behind = end;
  while (first < behind && isBlank(text.charCodeAt(first))) first++;
  while (behind > first && isBlank(text.charCodeAt(behind - 1))) behind--;
  const opening = text.charCodeAt(first);
  const isTidy = !isDigit(opening) && !(isProse && bulletSigns.includes(opening));
  if (isTidy && cutTidy(shown, text, first, behind)) return;
  const tidy = tidyLine(text.slice(start, end));
  setShown(shown, isProse ? tidy.replace(bullet, '') : tidy);
  shown.mayHavePlace = true;
}

/** Cuts out what stands between two places, unless blanks stand in it that are no single spaces. The loop has one branch: it looks at every character of a session. */
function cutTidy(shown: Shown, text: string, first: number, behind: number): boolean {
  let hash = 0;
  let seen = 0;
  let joined = 0;
  let before = 0;
  /** Of the last four which may be digits, one bit each; one more than all four is a fifth bit. */
  let digits = 0;
  let most = 0;
  for (let at = first; at < behind; at++) {
    const code = text.charCodeAt(at);
    const sign = signs[code] as number;
    if (((sign | ((sign & before) << 1)) & Sign.loose) !== 0) return false;
    digits = ((digits << 1) | (sign & Sign.hex)) & 0b1111;
    most |= digits + 1;
    joined |= sign & -(before >> 7);
    seen |= sign;
    hash = addUnit(hash, code);
    before = sign;
  }
  shown.text = text.slice(first, behind);
  shown.hash = hash;
  shown.mayHavePlace = (joined & Sign.digit) !== 0;
  shown.mayHoldValue =
    (seen & Sign.digit) !== 0 && ((most & 0b1_0000) !== 0 || (joined & (Sign.digit | Sign.capital)) !== 0);
  return true;
}

/** Shows another text. */
export function setShown(shown: Shown, text: string): void {
  shown.text = text;
  shown.hash = hashToken(text, 0, text.length);
  shown.mayHoldValue = true;
}

const bulletSigns = Array.from('-*•>#', (sign) => sign.charCodeAt(0));

/** What a unit is to a statement. `hex`: a digit of any kind. `loose`: a blank that is no space, or two spaces. `joint`: what stands before the number of a line, or within a code. */
const Sign = { hex: 1, digit: 2, capital: 4, space: 8, loose: 16, joint: 128 } as const;
const signs = new Uint8Array(0x1_0000);
const setSigns = (units: string, sign: number): void => {
  for (const unit of units) signs[unit.charCodeAt(0)] = (signs[unit.charCodeAt(0)] as number) | sign;
};
setSigns('0123456789abcdefABCDEF', Sign.hex);
setSigns('0123456789', Sign.digit);
setSigns('ABCDEFGHIJKLMNOPQRSTUVWXYZ', Sign.capital);
setSigns(':-', Sign.joint);
setSigns(' ', Sign.space);
/** What `\s` is besides. */
setSigns(
  '\t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  Sign.loose,
);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isBlank = (code: number): boolean => ((signs[code] as number) & (Sign.space | Sign.loose)) !== 0;

function findSentence(text: string, index: number, lineStart: number, lineEnd: number): [number, number] {
  const from = Math.max(lineStart, index - longest.sentence);
  // An end that is further away is cut off anyhow.
  const near = text.slice(from, Math.min(lineEnd, index + 2 * longest.sentence));
  let start = lineStart;
  sentenceEnd.lastIndex = 0;
  for (let match = sentenceEnd.exec(near); match !== null; match = sentenceEnd.exec(near)) {
    const end = from + sentenceEnd.lastIndex;
    if (end > index) return [start, end];
    start = end;
  }
  return [start, lineEnd];
}

function backToBlank(text: string, from: number, index: number): number {
  const blank = text.indexOf(' ', from);
  return blank < 0 || blank >= index ? alignCut(text, from) : blank + 1;
}

function cutAtBlank(text: string, start: number, end: number): number {
  const blank = text.lastIndexOf(' ', end);
  return blank > start + (end - start) / 2 ? blank : alignCut(text, end);
}

const blanks = /\s+/g;
/** Two blanks, or one that is no space. */
const loose = /\s\s|[^\S ]/;

function tidyLine(line: string): string {
  const bare = line.trim();
  const code = bare.charCodeAt(0);
  const text = code >= 48 && code <= 57 ? bare.replace(numbering, '') : bare;
  return loose.test(text) ? text.replace(blanks, ' ') : text;
}

const place = /^((?:[\w@.+~-]*\/)*[\w@+-][\w@.+-]*\.\w{1,8})[:-](\d+)[:-](.*)$/;

/** Something that is said of the line itself. */
const onLine = /^\d+:|^ *(?:error|warning|fatal)/;

/**
 * A line as a search or a compiler shows it, `src/a.ts:12: text`: the file that it is about, and the rest; with the line's
 * number where something is said of that line.
 */
export function splitPlace(line: string): { readonly about: string; readonly text: string } | undefined {
  const [, about, number, rest] = place.exec(line) ?? [];
  if (about === undefined || rest === undefined) return undefined;
  return { about, text: onLine.test(rest) ? `${number}:${rest}` : rest.trim() };
}

const listed = /^\d{1,6} +(?=\S)/;

/** A line of a file as a listing shows it, `34 text`, loses its number. */
export function dropNumber(shown: Shown): void {
  if (isDigit(shown.text.charCodeAt(0))) setShown(shown, shown.text.replace(listed, ''));
}
