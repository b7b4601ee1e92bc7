import type { Evidence } from '../evidence/evidence.ts';

/** One thing a section may show. Items stand in the order of need; the first that fit are shown. */
export interface Item {
  readonly text: string;
  /** The part of the section that it gets at most, shortened where it is longer: one long text must not take the place of all. */
  readonly atMost?: number;
  /** Cut to fewer characters than so many it says nothing, and is left out. */
  readonly least?: number;
  /** Items of one group are shown together under its name. */
  readonly group?: string;
}

/** What a text costs of the budget. */
export type Cost = (text: string) => number;

/** A text on one line. */
export const toOneLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim();

/** What is quoted breaks no line, whatever stands in it. */
export const joinLines = (text: string): string => text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' ');

/** A name at the start of a line begins nothing there: no heading, no list, no tag, no fence, no message of somebody's. */
export function quoteStart(name: string): string {
  const line = toOneLine(name);
  return /^(?:[#<>\-+*=|`~[\]\d(]|(?:user|human|assistant|system)\b[^:]*:)/i.test(line) ? `\\${line}` : line;
}

/** Recent messages count for most of a file's or a command's worth; so many messages halve it about once and a half. */
const freshMessages = 60;
/** How much of its worth something said or done in message `at` still has. */
export const freshness = (at: number, evidence: Evidence): number =>
  Math.exp(-(evidence.messages - at) / freshMessages);
