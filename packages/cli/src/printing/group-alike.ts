/** A row and the names of the rows that say the same. */
export interface Alike<Row> {
  readonly row: Row;
  readonly same: readonly string[];
}

/** Rows that differ in nothing but their preset become one. */
export function groupAlike<Row extends { readonly preset: string }>(rows: readonly Row[]): readonly Alike<Row>[] {
  const groups = new Map<string, { readonly row: Row; readonly same: string[] }>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, preset: undefined });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { row, same: [] });
    else group.same.push(row.preset);
  }
  return [...groups.values()];
}

/** `claude-code, s08: the same as default` */
export const describeAlike = ({ row, same }: Alike<{ readonly preset: string }>): readonly string[] =>
  same.length === 0 ? [] : [`${same.join(', ')}: the same as ${row.preset}`];
