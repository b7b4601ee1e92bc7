import type { StatementEvidence } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { startScan } from '../evidence/scan-tokens.ts';
import { isFileName } from '../evidence/statement-names.ts';
import {
  cutStatement,
  dropNumber,
  moveBounds,
  type Shown,
  setShown,
  splitPlace,
  startBounds,
} from './find-statement.ts';
import type { IdentifierTally, NameWorths } from './identifier-tally.ts';
import { isNoise } from './is-noise.ts';
import type { Source } from './met-names.ts';
import {
  addRow,
  addRowName,
  addStatement,
  countRows,
  dropRowNames,
  holdsRowValue,
  keepRows,
  listRows,
  newStatementRows,
  type StatementRows,
  sumRowNames,
  textOfRow,
  toStatement,
  unreadRowNames,
  type Whereabouts,
} from './statement-rows.ts';

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
  prune(): void;
  toEvidence(): readonly StatementEvidence[];
}

/** Collects statements over a span, continuing from an earlier one. */
export function newStatementTally(
  identifiers: IdentifierTally,
  previous: readonly StatementEvidence[] = [],
): StatementTally {
  const rows = newStatementRows(identifiers.nameOf);
  for (const statement of previous) addStatement(rows, statement);

  const shown: Shown = { text: '', hash: 0, mayHavePlace: false, mayHoldValue: false };

  /** What was cut out of a text; `isRead`: the names that were added to the row are all of it. */
  const add = (where: Whereabouts, isListed: boolean, isRead: boolean): void => {
    const found = where.source === 'shown' && shown.mayHavePlace ? splitPlace(shown.text) : undefined;
    if (found !== undefined) setShown(shown, found.text);
    else if (isListed) dropNumber(shown);
    if (isNoise(shown.text)) dropRowNames(rows);
    else if (found === undefined) addRow(rows, shown, where, isRead);
    else addRow(rows, shown, { ...where, about: found.about }, false);
  };

  return {
    read(text, where, source) {
      const isProse = where.source === 'said';
      const isListed = where.source === 'shown' && isFileName(where.about);
      const bounds = startBounds();
      const scan = startScan(text);
      const endStatement = (): void => {
        if (rows.filled === rows.open) return;
        cutStatement(shown, text, bounds, isProse);
        // Of a line that was cut the names may have been cut too.
        add(where, isListed, bounds.isWhole);
      };
      for (let found = identifiers.next(scan, source); found.count > 0; found = identifiers.next(scan, source)) {
        for (let i = 0; i < found.count; i++) {
          const start = found.starts[i] as number;
          if (start >= bounds.end) {
            endStatement();
            moveBounds(bounds, text, start, isProse);
          }
          const number = found.numbers[i] as number;
          if (identifiers.isTelling(number)) addRowName(rows, number);
        }
      }
      endStatement();
    },
    unreadNames: () => unreadRowNames(rows),
    prune() {
      if (countRows(rows) <= prune.over) return;
      const names = identifiers.weighAll();
      const numbers = listRows(rows);
      const worths = Float64Array.from(numbers, (row) => weighRow(rows, row, names));
      keepRows(rows, pickWorthiest(numbers, worths));
    },
    toEvidence() {
      return listRows(rows).map((row) => toStatement(rows, row));
    },
  };
}

/** What a statement is worth by itself, whatever others say. */
function weighRow(rows: StatementRows, row: number, names: NameWorths): number {
  const factor = holdsRowValue(rows, row) ? 1 + valueFactor : 1;
  return (factor * sumRowNames(rows, row, names)) / (20 + textOfRow(rows, row).length);
}

/** Those that stay, in their order; of those that are worth the same the oldest. */
function pickWorthiest(numbers: readonly number[], worths: Float64Array): readonly number[] {
  let { least, ties } = findLeast(worths, prune.keep);
  const kept: number[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const worth = worths[at] as number;
    if (worth > least || (worth === least && ties-- > 0)) kept.push(numbers[at] as number);
  }
  return kept;
}
