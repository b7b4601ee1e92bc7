/** A statement of a plain text, and the heading that it stands under. */
export interface Statement {
  readonly section: string;
  readonly text: string;
}

const HEADING = /^\s{0,3}(?:#{1,6}\s+(.+?)[\s#:]*|\*\*(.+?):?\*\*:?\s*)$/;
const BULLET = /^(\s*)(?:[-*•]|\d{1,3}[.)])(?:\s+|$)/;
const FENCE = /^\s*(?:```|~~~)/;
/** What stands under a heading that has nothing to tell. */
const NOTHING = /^[-–—.…*()[\]\s]*(?:none|nothing|n\/a|empty|keine?s?|無|无|没有)?[-–—.…*()[\]\s]*$/i;

/**
 * The statements of a plain text, in order: bullets, and paragraphs where there are none. What is indented below a bullet
 * belongs to it, and what stands between fences is never torn.
 */
export function splitStatements(source: string): readonly Statement[] {
  const statements: Statement[] = [];
  let section = '';
  let lines: string[] = [];
  let fenced = false;
  const close = (): void => {
    const text = lines.join('\n').trimEnd();
    if (!NOTHING.test(text)) statements.push({ section, text });
    lines = [];
  };
  for (const line of source.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const heading = fenced ? null : HEADING.exec(line);
    const bullet = fenced ? null : BULLET.exec(line);
    if (heading !== null) {
      close();
      section = (heading[1] ?? heading[2] ?? '').trim();
    } else if (bullet !== null && (lines.length === 0 || (bullet[1] ?? '').length < 2)) {
      close();
      lines = [line.slice(bullet[0].length)];
    } else if (line.trim() === '' && !fenced) close();
    else lines.push(lines.length === 0 ? line.trim() : line.trimEnd());
  }
  close();
  return statements;
}
