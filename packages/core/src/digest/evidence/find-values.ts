import { newBriefMemo } from '../../brief-memo.ts';
import type { StatementEvidence } from './evidence.ts';

/** A value that stands in a statement. */
export interface FoundValue {
  /** What it is bound to; empty where nothing is. */
  readonly name: string;
  readonly value: string;
  /** The words before a value that is bound to nothing: they say what it is. */
  readonly lead: string;
}

/** A value with its name, as a digest tells it. */
export const writeBinding = (name: string, value: string): string => `${name}=${value}`;

/** What nobody can guess: numbers of five digits and more, short hashes, codes of capitals and digits. No dates, times or versions. */
export const valuePattern = new RegExp(
  [
    '(?<![\\w.:/$#@%-])(?:',
    ['0x[0-9a-fA-F]{4,16}', '\\d{5,15}', '(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{7,16}'].join('|'),
    '|(?=[A-Z-]*\\d)[A-Z][A-Z\\d]*(?:-[A-Z\\d]{2,}){2,}|[A-Z]{1,8}-\\d{5,15}',
    ')(?![\\w:/-]|\\.\\d)',
  ].join(''),
  'g',
);

/** `NAME = `, `name: `, `"name": `, `name: Type = ` and the like, up to the value and its quote. */
const binding =
  /([A-Za-z_$][\w$.-]{1,59})["'`\]]?\s{0,4}(?::\s{0,4}[A-Za-z][\w<>[\]|]{0,30}\s{0,4})?(?::=|=>|[=:])\s{0,4}["'`]?$/;
/** No binding is longer. */
const bindingChars = 120;
/** So many characters before a value that is bound to nothing are told with it. */
const leadChars = 40;
/** What a host or the machine counts is no value: modes of files, what a result was cut by, addresses in memory, numbers of processes; nor what `ls -l` lists. */
const counted = /\bmode $|…$|\bobject at $|\bsession ID $/;
const countedNames = /^(?:total_tokens|duration_ms|tool_uses|agentId|p?pid|pgid|[ug]id)$/i;
const listing = /^[-dl][-rwxsStT]{9}/;

const none: readonly FoundValue[] = [];
/** More than one session has statements. */
const mostKnown = 20_000;
const known = newBriefMemo<StatementEvidence, readonly FoundValue[]>(mostKnown);

/** The values in a statement, in order. */
export function findValues(statement: StatementEvidence): readonly FoundValue[] {
  if (!mayHoldValue(statement.text)) return none;
  const before = known.get(statement);
  if (before !== undefined) return before;
  const found: FoundValue[] = [];
  for (const { 0: value, index } of statement.text.matchAll(valuePattern)) {
    const all = statement.text.slice(0, index);
    const name = findName(all);
    if (name !== undefined) found.push({ name, value, lead: name === '' ? shortenLead(all) : '' });
  }
  known.set(statement, found);
  return found;
}

/** Whether `findValues` finds any: of most lines nobody asks more, and nothing is made of them. */
export function holdsValue(text: string): boolean {
  if (!mayHoldValue(text)) return false;
  for (const { index } of text.matchAll(valuePattern)) if (findName(text.slice(0, index)) !== undefined) return true;
  return false;
}

/** What a value behind these words is bound to, empty where nothing is; undefined where it is no value. */
function findName(all: string): string | undefined {
  if (counted.test(all) || listing.test(all)) return undefined;
  const name = binding.exec(all.slice(-bindingChars))?.[1] ?? '';
  return countedNames.test(name) ? undefined : name;
}

function shortenLead(all: string): string {
  if (all.length <= leadChars) return all;
  const near = all.slice(-leadChars);
  return near.slice(near.indexOf(' ') + 1);
}

/** What a character is to a value. */
const Char = { gap: 0, digit: 1, hex: 2, capital: 4, other: 8 } as const;
const chars = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\d/.test(char)) return Char.digit;
  if (/[a-f]/.test(char)) return Char.hex;
  if (/[A-Z]/.test(char)) return Char.capital;
  return /[g-z_]/.test(char) ? Char.other : Char.gap;
});
const ZERO = 48;
const LOWER_X = 120;
const DASH = 45;

/** Whether some run of letters and digits between two places may be a value, or a part of one: a fast look, which says no of most texts. */
export function mayHoldValue(text: string, from = 0, end = text.length): boolean {
  for (let at = from; at < end; at++) {
    const start = at;
    let seen = 0;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      const char = code < 128 ? (chars[code] as number) : Char.gap;
      if (char === Char.gap) break;
      seen |= char;
    }
    if (at - start >= 2 && mayBeValue(text, start, at, seen)) return true;
  }
  return false;
}

/** `seen`: what characters stand between the two places. */
function mayBeValue(text: string, start: number, end: number, seen: number): boolean {
  const length = end - start;
  if (seen === Char.digit ? length >= 5 : seen === (Char.digit | Char.hex) && length >= 7) return true;
  if (length >= 6 && text.charCodeAt(start) === ZERO && text.charCodeAt(start + 1) === LOWER_X) return true;
  return (seen & ~(Char.digit | Char.capital)) === 0 && text.charCodeAt(start - 1) === DASH;
}
