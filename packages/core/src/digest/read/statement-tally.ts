import { newStride, type Steps } from '../../steps.ts';
import type { StatementEvidence } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { startScan } from '../evidence/scan-tokens.ts';
import { isFileName } from '../evidence/statement-names.ts';
import {
  cutStatement,
  dropNumber,
  isNoise,
  moveBounds,
  type Shown,
  setShown,
  splitPlace,
  startBounds,
} from './find-statement.ts';
import type { IdentifierTally, NameWorths } from './identifier-tally.ts';
import type { Source } from './met-names.ts';
import { none } from './name-table.ts';
import { newStatementRows, type StatementRows, type Whereabouts } from './statement-rows.ts';

/** Statements are forgotten where there are more than `over`, down to `keep`: no digest shows as many. */
const prune = { over: 14_000, keep: 5_000 };

/** A value is told long after the lines around it are not. */
const valueFactor = 4;

/** The lines and sentences that name something, added up. */
export interface StatementTally {
  /** Takes in a text, whose identifiers are counted on the way. */
  read(text: string, where: Whereabouts, source: Source): void;
  /** Names were numbered anew. */
  unreadNames(): void;
  /** Forgets the statements that are least likely needed, once there are too many. */
  prune(): Steps<void>;
  toEvidence(): readonly StatementEvidence[];
}

/** Collects statements over a span, continuing from an earlier one. */
export function newStatementTally(
  identifiers: IdentifierTally,
  previous: readonly StatementEvidence[] = [],
): StatementTally {
  const rows = newStatementRows(identifiers.nameOf);
  for (const statement of previous) rows.addStatement(statement);

  const shown: Shown = { text: '', hash: 0, mayHavePlace: false };

  /** What was cut out of a text; `isRead`: the names that were added to the row are all of it. */
  const add = (where: Whereabouts, isListed: boolean, isRead: boolean): void => {
    const found = where.source === 'shown' && shown.mayHavePlace ? splitPlace(shown.text) : undefined;
    if (found !== undefined) setShown(shown, found.text);
    else if (isListed) dropNumber(shown);
    if (isNoise(shown.text)) rows.dropNames();
    else if (found === undefined) rows.add(shown.text, where, isRead, shown.hash);
    else rows.add(shown.text, { ...where, about: found.about }, false, shown.hash);
  };

  return {
    read(text, where, source) {
      const isProse = where.source === 'said' || where.source === 'typed';
      const isListed = where.source === 'shown' && isFileName(where.about);
      const bounds = startBounds();
      const scan = startScan(text);
      for (;;) {
        const number = identifiers.next(scan, source);
        if (number === none || scan.start >= bounds.end) {
          if (rows.named > 0) {
            cutStatement(shown, text, bounds, isProse);
            // Of a line that was cut the names may have been cut too.
            add(where, isListed, bounds.isWhole);
          }
          if (number === none) break;
          moveBounds(bounds, text, scan.start, isProse);
        }
        if (identifiers.isTelling(number)) rows.addName(number);
      }
    },
    unreadNames: rows.unreadNames,
    *prune() {
      if (rows.size <= prune.over) return;
      const names = identifiers.weighAll();
      const isStop = newStride(64);
      const numbers = rows.list();
      const worths = new Float64Array(numbers.length);
      let at = 0;
      for (const row of numbers) {
        worths[at++] = weighStatement(rows, row, names);
        if (isStop()) yield;
      }
      let { least, ties } = findLeast(worths, prune.keep);
      const isKept = (worth: number): boolean =>
        // Of those that are worth the same the oldest stay.
        worth > least || (worth === least && ties-- > 0);
      rows.keep(numbers.filter((_, i) => isKept(worths[i] ?? 0)));
    },
    toEvidence: () => rows.list().map(rows.toStatement),
  };
}

/** What a statement is worth by itself, whatever others say. */
const weighStatement = (rows: StatementRows, row: number, names: NameWorths): number =>
  ((rows.holdsValue(row) ? 1 + valueFactor : 1) * rows.sumNames(row, names)) / (20 + rows.textOf(row).length);
