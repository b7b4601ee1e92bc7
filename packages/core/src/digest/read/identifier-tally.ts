import type { Json } from '../../message/message.ts';
import { isSecretName, redact } from '../../message/redact.ts';
import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { rankIdentifiers } from '../evidence/rank-identifiers.ts';
import { type IdentifierKind, scanIdentifiers, type VisitIdentifier } from '../evidence/scan-identifiers.ts';

/** Where an identifier stood; what the user and the model wrote themselves weighs more than what a tool printed. */
export type Source = 'inWords' | 'inCalls' | 'inWritten' | 'inSaid' | 'inResults' | 'inErrors';

type Count = { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] };

export interface IdentifierTally {
  /** `beside` is told of each of them too. */
  scan(text: string, source: Source, beside?: VisitIdentifier): void;
  count(identifier: string, kind: IdentifierKind, source: Source): void;
  /** Moves on: texts scanned from here on are newer by so many characters. */
  advance(chars: number): void;
  readonly position: number;
  /** Forgets the identifiers least likely needed, once there are more than `over`. */
  prune(over: number, keep: number): void;
  toEvidence(): readonly IdentifierEvidence[];
}

/** Counts identifiers over a span, continuing from an earlier one. */
export function newIdentifierTally(previous: readonly IdentifierEvidence[], from: number): IdentifierTally {
  const counts = new Map<string, Count>(previous.map((count) => [count.identifier, { ...count }]));
  let position = from;
  let source: Source = 'inResults';
  const visit = (identifier: string, kind: IdentifierKind): void => {
    let count = counts.get(identifier);
    if (count === undefined) {
      count = {
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
      };
      counts.set(identifier, count);
    }
    count[source]++;
    count.last = position;
    if (source !== 'inResults' && source !== 'inErrors') count.used = position;
  };
  return {
    scan(text, where, beside) {
      source = where;
      if (beside === undefined) scanIdentifiers(text, visit);
      else
        scanIdentifiers(text, (identifier, kind, index) => {
          visit(identifier, kind);
          beside(identifier, kind, index);
        });
    },
    count(identifier, kind, where) {
      source = where;
      visit(identifier, kind);
    },
    advance(chars) {
      position += chars;
    },
    get position() {
      return position;
    },
    prune(over, keep) {
      if (counts.size <= over) return;
      const kept = new Set(rankIdentifiers([...counts.values()], position, keep).map((one) => one.identifier));
      for (const identifier of counts.keys()) if (!kept.has(identifier)) counts.delete(identifier);
    },
    toEvidence: () => [...counts.values()],
  };
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
