import type { IdentifierEvidence } from './evidence.ts';
import { type IdentifierKind, scanIdentifiers } from './identifiers.ts';

/** Where an identifier stood; what the user and the model wrote themselves weighs more than what a tool printed. */
export type Source = 'inWords' | 'inCalls' | 'inWritten' | 'inSaid' | 'inResults' | 'inErrors';

type Count = { -readonly [Key in keyof IdentifierEvidence]: IdentifierEvidence[Key] };

export interface Tally {
  scan(text: string, source: Source): void;
  count(identifier: string, kind: IdentifierKind, source: Source): void;
  /** Moves on: texts scanned from here on are newer by so many characters. */
  advance(chars: number): void;
  readonly position: number;
  done(): readonly IdentifierEvidence[];
}

/** Counts identifiers over a span, continuing from an earlier one. */
export function identifierTally(previous: readonly IdentifierEvidence[], from: number): Tally {
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
    scan(text, where) {
      source = where;
      scanIdentifiers(text, visit);
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
    done: () => [...counts.values()],
  };
}
