const SNIP_CHARS = 200;
/** So much stands in front of what matched. */
const LEAD_CHARS = 40;

/** A stretch of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A query as it is looked for, in small letters: as it was typed, and its words, of which those in quotes are one. */
export function parseQuery(query: string): { readonly phrase: string; readonly words: readonly string[] } {
  const typed = query.trim().toLowerCase();
  const words = [...typed.matchAll(/"([^"]+)"|(\S+)/g)].flatMap(([, quoted = '', word = '']) => {
    const one = quoted === '' ? word : quoted.trim();
    return one === '' ? [] : [one];
  });
  return { phrase: words.some((word) => word.includes(' ')) ? words.join(' ') : typed, words: [...new Set(words)] };
}

/** What a search looked for, in a text: as it was typed, else its first word that stands there. */
export function findWords(text: string, query: string): Span | undefined {
  const lower = text.toLowerCase();
  const { phrase, words: single } = parseQuery(query);
  for (const words of [phrase, ...single]) {
    const from = words === '' ? -1 : lower.indexOf(words);
    if (from >= 0) return { from, to: from + words.length };
  }
  return undefined;
}

/** The words of a line around what a search looked for. */
export function snip(line: string, query: string): string {
  const at = findWords(line, query)?.from ?? 0;
  const from = at <= LEAD_CHARS ? 0 : at - LEAD_CHARS;
  const text = line.slice(from, from + SNIP_CHARS);
  return `${from > 0 ? '…' : ''}${text}${from + SNIP_CHARS < line.length ? '…' : ''}`;
}

/** Where the words of a search stand in a text of which it found a line: there, not where they stand first. */
export function findHit(text: string, query: string, line: string): Span | undefined {
  const words = line.replace(/^…|…$/g, '');
  const start = text.indexOf(words);
  if (words === '' || start < 0) return undefined;
  const { from, to } = findWords(words, query) ?? { from: 0, to: words.length };
  return { from: start + from, to: start + to };
}
