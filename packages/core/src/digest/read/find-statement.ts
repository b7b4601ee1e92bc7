import { alignCut } from '../../text.ts';
import { mayHoldValue } from '../evidence/find-values.ts';
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
  let isTidy = !isDigit(opening) && !(isProse && bulletSigns.includes(opening));
  let hash = 0;
  let mayHavePlace = false;
  let hasDigit = false;
  for (let at = first, before = 0; isTidy && at < behind; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) isTidy = code === SPACE && before !== SPACE;
    else if (isDigit(code)) {
      hasDigit = true;
      if (before === COLON || before === DASH) mayHavePlace = true;
    }
    hash = addUnit(hash, code);
    before = code;
  }
  if (isTidy) {
    shown.text = text.slice(first, behind);
    shown.hash = hash;
    shown.mayHavePlace = mayHavePlace;
    shown.mayHoldValue = hasDigit && mayHoldValue(text, first, behind);
    return;
  }
  const tidy = tidyLine(text.slice(start, end));
  setShown(shown, isProse ? tidy.replace(bullet, '') : tidy);
  shown.mayHavePlace = true;
}

/** Shows another text. */
export function setShown(shown: Shown, text: string): void {
  shown.text = text;
  shown.hash = hashToken(text, 0, text.length);
  shown.mayHoldValue = true;
}

const SPACE = 32;
const DASH = 45;
const COLON = 58;
const bulletSigns = Array.from('-*•>#', (sign) => sign.charCodeAt(0));

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** What `\s` is. */
const isBlank = (code: number): boolean =>
  code <= SPACE ? code === SPACE || (code >= 9 && code <= 13) : code >= 0xa0 && isWideBlank(code);
const wideBlanks = /\s/;
const isWideBlank = (code: number): boolean =>
  (code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x3000) || code === 0xfeff) &&
  wideBlanks.test(String.fromCharCode(code));

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

const noise =
  /^(?:<\/?[\w-]+>$|[✓✔√] |diff --git |index [0-9a-f]{6,}\.\.|@@ |--- \S+$|\+\+\+ \S+$|<\/?system-reminder|The file \S+ has been |(?:[Cc]reated|[Dd]eleted|[Ee]dited|[Uu]pdated|[Ww]rote) \S+(?:, \d+ \w+)?\.?$|Found \d+ files?$|total \d+$|import [\w{}*, ]+ from |Co-Authored-By:|Chunk ID: \w+$|\*\*\* (?:Begin|End|Update|Add|Delete|Move)\b|Original token count: \d+$)/;

/** What diffs, hosts and modules say around what they have to say. */
export const isNoise = (statement: string): boolean => noise.test(statement);

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
