import { newStride, type Steps } from '../../steps.ts';
import type { StatementEvidence } from '../evidence/evidence.ts';
import { findValues } from '../evidence/find-values.ts';
import type { VisitIdentifier } from '../evidence/scan-identifiers.ts';
import { isFileName, isTelling, listNames, rememberNames } from '../evidence/statement-names.ts';
import { weighName } from '../evidence/weigh-name.ts';
import { dropNumber, findStatement, isNoise, splitPlace } from './find-statement.ts';
import type { IdentifierTally } from './identifier-tally.ts';

/** Statements are forgotten where there are more than `over`, down to `keep`: no digest shows as many. */
const prune = { over: 14_000, keep: 5_000 };

/** A value is told long after the lines around it are not. */
const valueFactor = 4;

/** Where the lines of a text stand. */
export type Whereabouts = Omit<StatementEvidence, 'text'>;

/** The lines and sentences that name something, added up. */
export interface StatementTally {
  /** Takes in a text, whose identifiers `scan` tells one by one. */
  read(text: string, where: Whereabouts, scan: (visit: VisitIdentifier) => void): void;
  /** Forgets the statements that are least likely needed, once there are too many. */
  prune(identifiers: Pick<IdentifierTally, 'toEvidence' | 'position'>): Steps<void>;
  toEvidence(): readonly StatementEvidence[];
}

interface Found {
  readonly text: string;
  readonly isWhole: boolean;
  readonly names: string[];
}

/** Collects statements over a span, continuing from an earlier one. */
export function newStatementTally(previous: readonly StatementEvidence[] = []): StatementTally {
  const statements = new Map(previous.map((one) => [one.text, one]));

  const add = ({ text: line, names, isWhole }: Found, where: Whereabouts): void => {
    const found = where.source === 'shown' ? splitPlace(line) : undefined;
    const isListed = where.source === 'shown' && isFileName(where.about);
    const statement = { ...where, text: isListed ? dropNumber(line) : line, ...found };
    const { text } = statement;
    if (isNoise(text)) return;
    // Of a line that was cut the names may have been cut too.
    if (isWhole && found === undefined) rememberNames(statement, names);
    statements.delete(text);
    statements.set(text, statement);
  };

  return {
    read(text, where, scan) {
      const isProse = where.source === 'said' || where.source === 'typed';
      let end = -1;
      let found: Found | undefined;
      const close = (): void => {
        if (found !== undefined && found.names.length > 0) add(found, where);
      };
      scan((identifier, kind, index) => {
        if (index >= end) {
          close();
          const next = findStatement(text, index, isProse);
          end = next.end;
          found = { text: next.text, isWhole: next.isWhole, names: [] };
        }
        if (isTelling(identifier, kind)) found?.names.push(identifier);
      });
      close();
    },
    *prune({ toEvidence, position }) {
      if (statements.size <= prune.over) return;
      const weights = new Map(toEvidence().map((one) => [one.identifier, weighName(one, position)]));
      const isStop = newStride(64);
      const worth: { readonly one: StatementEvidence; readonly worth: number }[] = [];
      for (const one of statements.values()) {
        worth.push({ one, worth: weighStatement(one, weights) });
        if (isStop()) yield;
      }
      worth.sort((a, b) => b.worth - a.worth);
      const kept = new Set(worth.slice(0, prune.keep).map(({ one }) => one));
      for (const [text, one] of statements) if (!kept.has(one)) statements.delete(text);
    },
    toEvidence: () => [...statements.values()],
  };
}

/** What a statement is worth by itself, whatever others say. */
function weighStatement(one: StatementEvidence, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  const names = listNames(one);
  for (const [i, name] of names.entries()) if (names.indexOf(name) === i) sum += weights.get(name) ?? 0;
  return ((1 + valueFactor * Math.min(1, findValues(one).length)) * sum) / (20 + one.text.length);
}
