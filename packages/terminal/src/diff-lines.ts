import { structuredPatch } from 'diff';
import type { Paint } from './paint.ts';
import { clip } from './text-width.ts';

interface DiffLook {
  readonly paint: Paint;
  readonly columns: number;
  /** Of all rows, so many at most. */
  readonly most: number;
}

/** What changed from one text to the other: lines that went and lines that came, with one beside them. Texts come in without controls. */
export function diffLines(before: string, after: string, { paint, columns, most }: DiffLook): readonly string[] {
  const rows = structuredPatch('', '', before, after, '', '', { context: 1 }).hunks.flatMap(({ lines }) =>
    lines.filter((line) => !line.startsWith('\\')),
  );
  const shown = rows.slice(0, most).map((line) => {
    const row = clip(`  ${line}`, columns);
    return line.startsWith('+') ? paint.green(row) : line.startsWith('-') ? paint.red(row) : paint.dim(row);
  });
  const rest = rows.length - most;
  return rest > 0 ? [...shown, paint.dim(`  … ${rest} more ${rest === 1 ? 'line' : 'lines'} changed`)] : shown;
}
