import { addShares, fractionOf, type Losses, type NeedKind, type Share, shareKept } from '@palimpsest/measure';
import type { Print } from './bench.ts';
import { formatPercent } from './figures.ts';

/** What each candidate kept of what was needed, added up over compactions. */
export interface KeptTable {
  readonly rows: readonly string[];
  enter(row: string, losses: Losses): void;
  /** The share that a candidate kept; not a number where nothing was needed. */
  read(row: string, kind: NeedKind): number;
  print(columns: Readonly<Partial<Record<NeedKind, string>>>, print: Print): void;
}

export function newKeptTable(): KeptTable {
  const entered = new Map<string, Losses[]>();
  const share = (row: string, kind: NeedKind): Share =>
    addShares((entered.get(row) ?? []).map((losses) => shareKept(losses[kind])));
  const read = (row: string, kind: NeedKind): number => fractionOf(share(row, kind));
  return {
    get rows() {
      return [...entered.keys()];
    },
    enter(row, losses) {
      entered.set(row, [...(entered.get(row) ?? []), losses]);
    },
    read,
    print(columns, print) {
      const kinds = Object.keys(columns) as readonly NeedKind[];
      print(`| | ${kinds.map((kind) => columns[kind]).join(' | ')} |`);
      print(`|---|${kinds.map(() => '---|').join('')}`);
      for (const row of entered.keys())
        print(`| ${row} | ${kinds.map((kind) => formatPercent(read(row, kind))).join(' | ')} |`);
    },
  };
}
