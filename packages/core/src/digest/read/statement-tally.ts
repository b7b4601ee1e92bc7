import { newStride, type Steps } from '../../steps.ts';
import type { StatementEvidence } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { findValues } from '../evidence/find-values.ts';
import { isFileName, listNames, rememberNames } from '../evidence/statement-names.ts';
import { type Bounds, dropNumber, findBounds, isNoise, showStatement, splitPlace } from './find-statement.ts';
import type { IdentifierTally, VisitMet } from './identifier-tally.ts';
import type { Met } from './met-names.ts';

/** Statements are forgotten where there are more than `over`, down to `keep`: no digest shows as many. */
const prune = { over: 14_000, keep: 5_000 };

/** A value is told long after the lines around it are not. */
const valueFactor = 4;

/** Where the lines of a text stand. */
export type Whereabouts = Omit<StatementEvidence, 'text'>;

/** The lines and sentences that name something, added up. */
export interface StatementTally {
  /** Takes in a text, whose identifiers `scan` tells one by one. */
  read(text: string, where: Whereabouts, scan: (visit: VisitMet) => void): void;
  /** Forgets the statements that are least likely needed, once there are too many. */
  prune(identifiers: Pick<IdentifierTally, 'weighAll'>): Steps<void>;
  toEvidence(): readonly StatementEvidence[];
}

/** A statement, and the names in it where they were read with it. */
interface Kept {
  readonly statement: StatementEvidence;
  readonly names: readonly Met[] | undefined;
}

/** Collects statements over a span, continuing from an earlier one. */
export function newStatementTally(previous: readonly StatementEvidence[] = []): StatementTally {
  const statements = new Map<string, Kept>(
    previous.map((statement) => [statement.text, { statement, names: undefined }]),
  );

  const add = (line: string, where: Whereabouts, isListed: boolean, names: readonly Met[] | undefined): void => {
    const found = where.source === 'shown' ? splitPlace(line) : undefined;
    const { about, text } = found ?? { about: where.about, text: isListed ? dropNumber(line) : line };
    if (isNoise(text)) return;
    const statement = { source: where.source, about, at: where.at, text };
    statements.delete(text);
    statements.set(text, found === undefined ? { statement, names } : { statement, names: undefined });
  };

  return {
    read(text, where, scan) {
      const isProse = where.source === 'said' || where.source === 'typed';
      const isListed = where.source === 'shown' && isFileName(where.about);
      const names: Met[] = [];
      let bounds: Bounds = { start: 0, end: -1, isWhole: false };
      const close = (): void => {
        if (names.length === 0) return;
        // Of a line that was cut the names may have been cut too.
        add(showStatement(text, bounds, isProse), where, isListed, bounds.isWhole ? names.slice() : undefined);
        names.length = 0;
      };
      scan((met, index) => {
        if (index >= bounds.end) {
          close();
          bounds = findBounds(text, index, isProse);
        }
        if (met.isTelling) names.push(met);
      });
      close();
    },
    *prune({ weighAll }) {
      if (statements.size <= prune.over) return;
      const weigh = weighAll();
      const isStop = newStride(64);
      const worths = new Float64Array(statements.size);
      let at = 0;
      for (const kept of statements.values()) {
        worths[at++] = weighStatement(kept, weigh);
        if (isStop()) yield;
      }
      let { least, ties } = findLeast(worths, prune.keep);
      at = 0;
      for (const text of statements.keys()) {
        const worth = worths[at++] ?? 0;
        // Of those that are worth the same the oldest stay.
        if (worth < least || (worth === least && ties-- <= 0)) statements.delete(text);
      }
    },
    toEvidence() {
      for (const { statement, names } of statements.values())
        if (names !== undefined)
          rememberNames(
            statement,
            names.map(({ identifier }) => identifier),
          );
      return Array.from(statements.values(), ({ statement }) => statement);
    },
  };
}

/** What a statement is worth by itself, whatever others say. */
function weighStatement({ statement, names: read }: Kept, weigh: (name: Met | string) => number): number {
  const names: readonly (Met | string)[] = read ?? listNames(statement);
  let sum = 0;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== undefined && names.indexOf(name) === i) sum += weigh(name);
  }
  return ((1 + valueFactor * Math.min(1, findValues(statement).length)) * sum) / (20 + statement.text.length);
}
