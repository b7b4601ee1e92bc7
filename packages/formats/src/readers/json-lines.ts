import type { Fields } from '@palimpsest/core/json';
import { asFieldsOrNone } from '../fields.ts';

export interface JsonLine {
  /** From 1, as editors count. */
  readonly line: number;
  readonly record: Fields;
}

/** The lines of a file, one at a time: a session of hundreds of megabytes never stands in memory as a whole. */
function* splitLines(source: string | Uint8Array): Generator<string> {
  if (typeof source === 'string') {
    for (let start = 0; start < source.length; ) {
      const end = source.indexOf('\n', start);
      yield end < 0 ? source.slice(start) : source.slice(start, end);
      start = end < 0 ? source.length : end + 1;
    }
    return;
  }
  const decoder = new TextDecoder();
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf(10, start);
    yield decoder.decode(source.subarray(start, end < 0 ? source.length : end));
    start = end < 0 ? source.length : end + 1;
  }
}

/** The first line that is not blank. */
export function findFirstLine(source: string | Uint8Array): string {
  for (const line of splitLines(source)) if (line.trim() !== '') return line;
  return '';
}

/** Whether a second record begins after the first line. */
export function hasSecondRecord(source: string | Uint8Array): boolean {
  let seen = 0;
  for (const line of splitLines(source))
    if (line.trim() !== '' && ++seen === 2) return line.trimStart().startsWith('{');
  return false;
}

function parseLine(line: string): Fields | undefined {
  try {
    // A byte order mark is no blank to JSON.parse.
    return asFieldsOrNone(JSON.parse(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line));
  } catch {
    return undefined;
  }
}

/**
 * Every record of a JSONL file. A line that is not a JSON object is passed over and noted: the last one of a live
 * session is often half-written, and one in the middle is what a crash leaves behind.
 */
export function* readJsonLines(
  source: string | Uint8Array,
  note: (text: string) => void = () => {},
): Generator<JsonLine> {
  const broken: number[] = [];
  let line = 0;
  let lastGood = 0;
  for (const text of splitLines(source)) {
    line++;
    if (text.trim() === '') continue;
    const record = parseLine(text);
    if (record === undefined) {
      broken.push(line);
      continue;
    }
    lastGood = line;
    yield { line, record };
  }
  const tail = broken.filter((number) => number > lastGood);
  if (tail.length > 0) note(`line ${tail[0]} is half-written; the session was read up to it`);
  const inside = broken.filter((number) => number < lastGood);
  if (inside.length > 0) {
    const shown = inside.slice(0, 5).join(', ');
    note(`${inside.length} line(s) are no JSON and were left out: ${shown}${inside.length > 5 ? ', …' : ''}`);
  }
}
