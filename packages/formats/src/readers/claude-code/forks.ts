import { hasResults, type Line } from './line.ts';

/**
 * Lines on courses that the user took back (a prompt edited and sent again, a session resumed from an earlier point).
 *
 * Two children of a line are no fork by themselves: parallel calls and their results branch off one another, and the
 * conversation goes on from the last result only. A fork is a line from which two prompts or responses go on; the
 * course with the latest line is the one that counts.
 */
export function findAbandonedLines(lines: readonly Line[]): ReadonlySet<Line> {
  const byUuid = new Map(lines.map((line) => [line.uuid, line]));
  const children = new Map<Line, Line[]>();
  for (const line of lines) {
    const parent = line.parent === undefined ? undefined : byUuid.get(line.parent);
    if (parent === undefined || parent === line) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [line]);
    else siblings.push(line);
  }

  // Children stand after their parents in the file, so one pass from the end sums up every subtree.
  const latest = new Map<Line, number>();
  const speaks = new Set<Line>();
  for (const line of lines.toReversed()) {
    const last = Math.max(line.index, latest.get(line) ?? 0);
    latest.set(line, last);
    if (line.kind === 'assistant' || (line.kind === 'user' && !hasResults(line))) speaks.add(line);
    const parent = line.parent === undefined ? undefined : byUuid.get(line.parent);
    if (parent === undefined || parent.index >= line.index) continue;
    latest.set(parent, Math.max(latest.get(parent) ?? 0, last));
    if (speaks.has(line)) speaks.add(parent);
  }

  const abandoned = new Set<Line>();
  for (const [parent, siblings] of children) {
    const courses = siblings.filter((line) => isContinuation(parent, line) && speaks.has(line));
    if (courses.length < 2) continue;
    const live = courses.reduce((a, b) => ((latest.get(b) ?? 0) > (latest.get(a) ?? 0) ? b : a));
    const stack = courses.filter((line) => line !== live);
    for (let line = stack.pop(); line !== undefined; line = stack.pop()) {
      if (abandoned.has(line)) continue;
      abandoned.add(line);
      stack.push(...(children.get(line) ?? []));
    }
  }
  return abandoned;
}

const isContinuation = (parent: Line, line: Line): boolean =>
  !hasResults(line) && (line.responseId === undefined || line.responseId !== parent.responseId);
