import type { Json } from '../../message/message.ts';
import { isSecretName, redact } from '../../message/redact.ts';
import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { pickIdentifiers, worthOf } from '../evidence/rank-identifiers.ts';
import { type IdentifierKind, identifierKind, isLineNumber } from '../evidence/scan-identifiers.ts';
import { hashToken, nextToken, startScan, type TokenScan } from '../evidence/scan-tokens.ts';
import { weighName } from '../evidence/weigh-name.ts';
import { type Met, newMetNames, toEvidence } from './met-names.ts';

/** Where an identifier stood; what the user and the model wrote themselves weighs more than what a tool printed. */
export type Source = 'inWords' | 'inCalls' | 'inWritten' | 'inSaid' | 'inResults' | 'inErrors';

export interface IdentifierTally {
  /** Goes on in a text to its next identifier and counts it; undefined at the end. */
  next(scan: TokenScan, source: Source): Met | undefined;
  /** Counts all of a text. */
  scan(text: string, source: Source): void;
  count(identifier: string, kind: IdentifierKind, source: Source): void;
  /** Moves on: texts scanned from here on are newer by so many characters. */
  advance(chars: number): void;
  readonly position: number;
  /** Forgets the identifiers least likely needed, once there are more than `over`; answers whether they were numbered anew. */
  prune(over: number, keep: number): boolean;
  nameOf(number: number): string;
  /** What each is worth here. */
  weighAll(): NameWorths;
  toEvidence(): readonly IdentifierEvidence[];
}

/** What identifiers are worth at one place, nothing where they were forgotten. */
export interface NameWorths {
  readonly byNumber: Float64Array;
  byName(name: string): number;
}

/** Counts identifiers over a span, continuing from an earlier one. */
export function newIdentifierTally(previous: readonly IdentifierEvidence[], from: number): IdentifierTally {
  const names = newMetNames();
  for (const one of previous) names.add(one);
  let position = from;
  let weights: Float64Array = new Float64Array(0);
  let weighedAt = -1;

  const find = (identifier: string): Met | undefined =>
    names.find(identifier, 0, identifier.length, hashToken(identifier, 0, identifier.length));

  /** What all are worth here, by their numbers. */
  const weighHere = (): Float64Array => {
    if (weighedAt !== position) weights = names.weigh((met) => weighName(met, position));
    weighedAt = position;
    return weights;
  };

  const add = (identifier: string, kind: IdentifierKind, hash?: number): Met =>
    names.add(startCount(identifier, kind, position), hash);

  const countAt = (met: Met, source: Source): void => {
    if (met.isForgotten) names.renew(met, position);
    addOne(met, source);
    weighedAt = -1;
    met.last = position;
    if (source !== 'inResults' && source !== 'inErrors') met.used = position;
  };

  /** The identifier at a token; undefined where it is none, or counts lines. */
  const meet = ({ text, start, end, hash, behind }: TokenScan): Met | undefined => {
    const met = names.find(text, start, end, hash);
    const identifier = met === undefined ? text.slice(start, end) : met.identifier;
    const kind = met === undefined ? identifierKind(identifier) : met.kind;
    if (kind === undefined || (kind === 'number' && isLineNumber(text, start, behind))) return undefined;
    return met ?? add(identifier, kind, hash);
  };

  const next = (scan: TokenScan, source: Source): Met | undefined => {
    while (nextToken(scan)) {
      const met = meet(scan);
      if (met === undefined) continue;
      countAt(met, source);
      return met;
    }
    return undefined;
  };

  return {
    next,
    scan(text, source) {
      const scan = startScan(text);
      while (next(scan, source) !== undefined);
    },
    count(identifier, kind, source) {
      countAt(find(identifier) ?? add(identifier, kind), source);
    },
    advance(chars) {
      position += chars;
    },
    get position() {
      return position;
    },
    prune(over, keep) {
      const { all } = names;
      if (all.length <= over) return false;
      const isAnew = names.keep(pickIdentifiers(all, listWorths(all, weighHere()), keep));
      if (isAnew) weighedAt = -1;
      return isAnew;
    },
    nameOf: names.nameOf,
    weighAll() {
      const byNumber = weighHere();
      return { byNumber, byName: (name) => byNumber[find(name)?.number ?? -1] ?? 0 };
    },
    toEvidence: () => names.all.map(toEvidence),
  };
}

/** One that has not been counted yet. */
const startCount = (identifier: string, kind: IdentifierKind, position: number): IdentifierEvidence => ({
  identifier,
  kind,
  inWords: 0,
  inCalls: 0,
  inWritten: 0,
  inSaid: 0,
  inResults: 0,
  inErrors: 0,
  first: position,
  last: position,
  used: -1,
});

/** What each is worth for its length. */
function listWorths(all: readonly Met[], weights: Float64Array): Float64Array {
  const worths = new Float64Array(all.length);
  for (let i = 0; i < worths.length; i++) {
    const { number, identifier } = all[i] as Met;
    worths[i] = worthOf(weights[number] as number, identifier);
  }
  return worths;
}

function addOne(met: Met, source: Source): void {
  switch (source) {
    case 'inWords':
      met.inWords++;
      break;
    case 'inCalls':
      met.inCalls++;
      break;
    case 'inWritten':
      met.inWritten++;
      break;
    case 'inSaid':
      met.inSaid++;
      break;
    case 'inResults':
      met.inResults++;
      break;
    case 'inErrors':
      met.inErrors++;
      break;
  }
}

/** Longer texts in a call's input are what it writes; shorter ones are what it is about. */
const aboutChars = 200;

/** Takes in a text of a call's input; `isAbout` where it says what the call is about. */
export type ScanText = (text: string, isAbout: boolean) => void;

/** Counts what stands in a call's input; answers its size in characters. */
export function scanInput(input: Json, tally: IdentifierTally, scanText: ScanText, name = ''): number {
  if (typeof input === 'string') {
    const isAbout = input.length <= aboutChars || name === 'command' || name === 'cmd';
    if (!isSecretName(name)) scanText(redact(input), isAbout);
    return input.length;
  }
  if (typeof input === 'number') {
    if (Number.isFinite(input) && Math.abs(input) >= 100) tally.count(String(input), 'number', 'inCalls');
    return 4;
  }
  if (typeof input !== 'object' || input === null) return 4;
  let chars = 0;
  for (const [key, value] of Object.entries(input)) chars += scanInput(value as Json, tally, scanText, key);
  return chars;
}
