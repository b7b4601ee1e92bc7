import {
  addShares,
  drawInterval,
  fractionOf,
  type Losses,
  type NeedKind,
  type Share,
  shareKept,
} from '@palimpsest/measure';
import type { Print } from './bench.ts';
import { formatNumber, formatPercent } from './figures.ts';

/** What one candidate kept at one compaction, and in how much room. */
export interface Entry {
  readonly losses: Losses;
  readonly project: string;
  /** What stood in the summary's place, over the summary's own size. */
  readonly size: number;
}

/** What each candidate kept of what was needed, added up over compactions. */
export interface KeptTable {
  readonly rows: readonly string[];
  enter(row: string, entry: Entry): void;
  /** The share that a candidate kept; not a number where nothing was needed. */
  read(row: string, kind: NeedKind): number;
  /** Shares, with the interval over projects behind them, and in a last row what was needed. */
  print(columns: Readonly<Partial<Record<NeedKind, string>>>, print: Print): void;
}

export function newKeptTable(): KeptTable {
  const entered = new Map<string, Entry[]>();
  const list = (row: string, kind: NeedKind, project?: string): Share =>
    addShares(
      (entered.get(row) ?? [])
        .filter((entry) => project === undefined || entry.project === project)
        .map(({ losses }) => shareKept(losses[kind])),
    );
  const read = (row: string, kind: NeedKind): number => fractionOf(list(row, kind));
  const writeCell = (row: string, kind: NeedKind): string => {
    const projects = new Set((entered.get(row) ?? []).map(({ project }) => project));
    const interval = drawInterval([...projects].map((project) => list(row, kind, project)));
    const around =
      interval === undefined ? '' : ` (${(100 * interval.low).toFixed(0)}–${(100 * interval.high).toFixed(0)})`;
    return `${formatPercent(read(row, kind))}${around}`;
  };
  const meanSize = (row: string): number => {
    const sizes = (entered.get(row) ?? []).map(({ size }) => size);
    return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  };
  return {
    get rows() {
      return [...entered.keys()];
    },
    enter(row, entry) {
      entered.set(row, [...(entered.get(row) ?? []), entry]);
    },
    read,
    print(columns, print) {
      const kinds = Object.keys(columns) as readonly NeedKind[];
      print(`| | size | ${kinds.map((kind) => columns[kind]).join(' | ')} |`);
      print(`|---|---|${kinds.map(() => '---|').join('')}`);
      for (const row of entered.keys())
        print(
          `| ${row} | ${formatPercent(meanSize(row))} | ${kinds.map((kind) => writeCell(row, kind)).join(' | ')} |`,
        );
      const [first = ''] = entered.keys();
      print(`| needed | | ${kinds.map((kind) => formatNumber(list(first, kind).needed)).join(' | ')} |`);
    },
  };
}
