const SNIP_CHARS = 200;
/** So much stands in front of what matched. */
const LEAD_CHARS = 40;

/** The words of a line around what a search looked for: as it was typed, else its first word that stands there. */
export function snip(line: string, query: string): string {
  const lower = line.toLowerCase();
  const wanted = query.trim().toLowerCase();
  const at = [wanted, ...wanted.split(/\s+/)].map((words) => lower.indexOf(words)).find((found) => found >= 0) ?? 0;
  const from = at <= LEAD_CHARS ? 0 : at - LEAD_CHARS;
  const text = line.slice(from, from + SNIP_CHARS);
  return `${from > 0 ? '…' : ''}${text}${from + SNIP_CHARS < line.length ? '…' : ''}`;
}
