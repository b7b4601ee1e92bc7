import { newBriefMemo } from '../../brief-memo.ts';
import { isCommonName } from './common-names.ts';
import type { StatementEvidence } from './evidence.ts';
import { type IdentifierKind, scanIdentifiers } from './scan-identifiers.ts';

/** Counts, lines and sizes: a number of few digits names nothing. */
const fewDigits = /^\d{1,4}(?:\.\d+)?$/;

/** Whether an identifier says something of this session: no count, and no name that everybody knows. */
export const isTelling = (identifier: string, kind: IdentifierKind): boolean =>
  kind === 'number' ? !fewDigits.test(identifier) : !isCommonName(identifier);

const fourDigits = /^\d{4}$/;
const letter = /[A-Za-z]/;

/** One of many that a tool counted: `req-10298`. */
export const isSerial = (identifier: string): boolean =>
  fourDigits.test(identifier.slice(-4)) && letter.test(identifier);

/** More than one session has statements. */
const mostKnown = 20_000;
const known = newBriefMemo<StatementEvidence, readonly string[]>(mostKnown);

/** What was read off a text need not be read again. */
export const rememberNames = (statement: StatementEvidence, names: readonly string[]): void => {
  known.set(statement, names);
};

/** The identifiers in a statement that say something, as often as they stand in it. */
export function listNames(statement: StatementEvidence): readonly string[] {
  const before = known.get(statement);
  if (before !== undefined) return before;
  const names = readNames(statement.text);
  known.set(statement, names);
  return names;
}

/** Those in a text, read anew. */
export function readNames(text: string): readonly string[] {
  const names: string[] = [];
  scanIdentifiers(text, (identifier, kind) => {
    if (isTelling(identifier, kind)) names.push(identifier);
  });
  return names;
}

const extension = /\.\w{1,8}$/;

/** Whether a statement is about a file: what a call names, and no command. */
export const isFileName = (about: string): boolean => !about.includes(' ') && extension.test(about);
