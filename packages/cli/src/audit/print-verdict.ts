import { type AuditReport, type CompactionAudit, judgeAudit } from '@palimpsest/inspector';
import type { Kept, NeedKind } from '@palimpsest/measure';
import { formatCount, formatNumber, oneLine, padEnd, padStart, wrap } from '@palimpsest/terminal';
import { formatPercent } from '../printing/figures.ts';
import { shortenMiddle } from '../printing/shorten-middle.ts';
import type { Terminal } from '../terminal.ts';

/** A report, and the file that it is of. */
export interface Audited {
  readonly file: string;
  readonly report: AuditReport;
}

/** How many compactions fit on a screen. */
const SHOWN = 8;
const FIRST = 24;

/** The verdict, and three sentences that say why. */
export function printVerdict({ print, paint, columns }: Terminal, name: string, report: AuditReport): void {
  const { sentence, because } = judgeAudit(report);
  print(paint.bold(shortenMiddle(oneLine(name), columns)));
  print(
    `${report.format} · ${formatCount(report.messages, 'message')}, ${formatCount(report.calls, 'model call')}, ${formatCount(report.compactions.length, 'compaction')}`,
  );
  print();
  for (const line of wrap(sentence, columns)) print(paint.bold(line));
  for (const one of because) {
    const [first = '', ...others] = wrap(one, columns - 2);
    print(`· ${first}`);
    for (const line of others) print(`  ${line}`);
  }
}

/** The compactions that lost most, a line each. */
export function printWorst({ print, paint }: Terminal, audited: readonly Audited[]): void {
  const rows = audited.flatMap(({ file, report }) => judgeAudit(report).worst.map((one) => ({ file, one })));
  if (rows.length === 0) return;
  const sorted = rows.sort((a, b) => countLost(b.one) - countLost(a.one));
  print();
  print(
    paint.dim(
      `${padEnd('kept by compaction', FIRST)}${padStart('tokens', 19)}${padStart('names', 8)}${padStart('requests', 10)}${padStart('ours: names', 13)}`,
    ),
  );
  for (const { file, one } of sorted.slice(0, SHOWN)) print(rowOf(one, audited.length > 1 ? file : undefined));
  if (sorted.length > SHOWN) print(paint.dim(`… and ${formatNumber(sorted.length - SHOWN)} more`));
}

const countLost = ({ losses }: Kept): number => losses.identifiers.lost.length;

const keptOf = (kept: Kept | undefined, kind: NeedKind): string => {
  if (kept === undefined) return '–';
  const { needed, lost } = kept.losses[kind];
  return formatPercent(needed - lost.length, needed);
};

function rowOf(one: CompactionAudit, file: string | undefined): string {
  const ours = one.ours.find(({ preset }) => preset === 'default');
  const place = `${one.boundary === undefined ? 'clearing' : `#${one.boundary}`} at ${formatNumber(one.at)}`;
  const name = file === undefined ? `${place}` : `${shortenMiddle(oneLine(file), FIRST - place.length - 2)} ${place}`;
  const size = `${formatNumber(one.tokensBefore)} → ${formatNumber(one.tokens)}`;
  return [
    padEnd(name, FIRST),
    padStart(size, 19),
    padStart(keptOf(one, 'identifiers'), 8),
    padStart(keptOf(one, 'rules'), 10),
    padStart(keptOf(ours, 'identifiers'), 13),
  ].join('');
}
