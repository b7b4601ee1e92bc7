import { newScoreSheet, type ScoreSheet } from '@palimpsest/measure';
import type { Print } from '../bench.ts';
import { formatPercent } from '../figures.ts';

/** One measure: the score of every text in every column. */
export interface ScoreTable {
  readonly title: string;
  add(row: string, column: string, project: string, value: number): void;
  print(print: Print): void;
}

/** `unit`: what one score is of, such as "cuts". */
export function newScoreTable(title: string, unit: string): ScoreTable {
  const sheet: ScoreSheet = newScoreSheet();
  const rows = new Set<string>();
  const columns = new Set<string>();
  const writeCell = (row: string, column: string): string => {
    const { mean, interval } = sheet.read(`${row}\n${column}`);
    const percent = (share: number): string => (100 * share).toFixed(0);
    return interval === undefined
      ? formatPercent(mean)
      : `${formatPercent(mean)} (${percent(interval.low)}–${percent(interval.high)})`;
  };
  return {
    title,
    add(row, column, project, value) {
      rows.add(row);
      columns.add(column);
      sheet.add(`${row}\n${column}`, project, value);
    },
    print(print) {
      const [row] = rows;
      if (row === undefined) return;
      const counts = [...columns].map((column) => sheet.count(`${row}\n${column}`));
      const [projects, values] = [counts.map((one) => one.projects), counts.map((one) => one.values)].map(listOnce);
      print('');
      print(`**${title}** (${values} ${unit}, ${projects} projects)`);
      print('');
      print(`| | ${[...columns].join(' | ')} |`);
      print(`|---|${[...columns].map(() => '---|').join('')}`);
      for (const name of rows) print(`| ${name} | ${[...columns].map((one) => writeCell(name, one)).join(' | ')} |`);
    },
  };
}

/** One number where all are the same. */
const listOnce = (numbers: readonly number[]): string =>
  (new Set(numbers).size === 1 ? numbers.slice(0, 1) : numbers).join(' / ');
