import { newStride, type Steps } from '../../steps.ts';
import type { StatementEvidence } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { startScan } from '../evidence/scan-tokens.ts';
import { isFileName } from '../evidence/statement-names.ts';
import { dropNumber, findBounds, isNoise, noBounds, showStatement, splitPlace } from './find-statement.ts';
import type { IdentifierTally, NameWorths, Source } from './identifier-tally.ts';
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

  /** `isRead`: the names that were added to the row are all of it. */
  const add = (line: string, where: Whereabouts, isListed: boolean, isRead: boolean): void => {
    const found = where.source === 'shown' ? splitPlace(line) : undefined;
    const text = found?.text ?? (isListed ? dropNumber(line) : line);
    if (isNoise(text)) rows.dropNames();
    else if (found === undefined) rows.add(text, where, isRead);
    else rows.add(text, { ...where, about: found.about }, false);
  };

  return {
    read(text, where, source) {
      const isProse = where.source === 'said' || where.source === 'typed';
      const isListed = where.source === 'shown' && isFileName(where.about);
      let bounds = noBounds;
      // Of a line that was cut the names may have been cut too.
      const close = (): void => {
        if (rows.named > 0) add(showStatement(text, bounds, isProse), where, isListed, bounds.isWhole);
      };
      const scan = startScan(text);
      for (let met = identifiers.next(scan, source); met !== undefined; met = identifiers.next(scan, source)) {
        if (scan.start >= bounds.end) {
          close();
          bounds = findBounds(text, scan.start, isProse, bounds);
        }
        if (met.isTelling) rows.addName(met.number);
      }
      close();
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
