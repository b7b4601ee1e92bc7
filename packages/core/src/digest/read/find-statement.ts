import { alignCut } from '../../text.ts';

/** A statement is no longer than this; code is one line, prose a sentence. */
const longest = { line: 160, sentence: 240 };
/** In a longer line, what stands before the identifier up to here belongs to it. */
const leadChars = 60;

const bullet = /^(?:[-*•>#]+ )+/;
/** Of a listing. */
const numbering = /^\d+(?:[→|│\t]|:(?!\d))\s*/;
const sentenceEnd = /[.!?…:]["')\]*`]{0,2}\s|[。！？；]/g;

/** Where a statement stands in its text. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
  /** It is a whole line. */
  readonly isWhole: boolean;
  /** Of the line that it stands in. */
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Those of no statement, before the first one of a text. */
export const noBounds: Bounds = { start: 0, end: -1, isWhole: false, lineStart: 0, lineEnd: -1 };

/** Where the statement around a place of a text begins and ends. `before`: where the last one did, at or before the place. */
export function findBounds(text: string, index: number, isProse: boolean, before: Bounds): Bounds {
  // A long line has many statements; its ends are not looked for again.
  const isOnLine = index < before.lineEnd;
  const lineStart = isOnLine ? before.lineStart : text.lastIndexOf('\n', index - 1) + 1;
  const lineEnd = isOnLine ? before.lineEnd : findLineEnd(text, index);
  const most = isProse ? longest.sentence : longest.line;
  if (lineEnd - lineStart <= most && index - lineStart <= most - 40)
    return { start: lineStart, end: lineEnd, isWhole: true, lineStart, lineEnd };
  let [start, end] = [lineStart, lineEnd];
  if (end - start > most) [start, end] = isProse ? findSentence(text, index, lineStart, lineEnd) : [start, end];
  if (index - start > most - 40) start = backToBlank(text, Math.max(start, index - leadChars), index);
  if (end - start > most) end = Math.max(index + 1, cutAtBlank(text, start, start + most));
  return { start, end, isWhole: start === lineStart && end === lineEnd, lineStart, lineEnd };
}

function findLineEnd(text: string, index: number): number {
  const newline = text.indexOf('\n', index);
  return newline < 0 ? text.length : newline;
}

/** A statement as it is shown. */
export function showStatement(text: string, { start, end }: Bounds, isProse: boolean): string {
  const tidy = tidyLine(text.slice(start, end));
  return isProse ? tidy.replace(bullet, '') : tidy;
}

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

/** A line of a file as a listing shows it, `34 text`, without its number. */
export const dropNumber = (line: string): string => line.replace(listed, '');
