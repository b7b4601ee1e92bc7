/** What stands in quotes is never cut. */
const QUOTED = /"[^"]*"|“[^”]*”|`[^`]*`/g;
/** Of the private use area: nobody types it. */
const MASK = '\ue000';

/** The steps of a request: at "then", at semicolons, at the ends of sentences and lines. */
export function sentencesIn(request: string): readonly string[] {
  const kept: string[] = [];
  const masked = request.replace(QUOTED, (quoted) => {
    kept.push(quoted);
    return `${MASK}${kept.length - 1}${MASK}`;
  });
  return masked
    .split(/[,;.]?\s+(?:and\s+)?then\s+|;\s+|\n+|(?<=[.!?])\s+(?=\S)/i)
    .map((sentence) => sentence.replace(/\ue000(\d+)\ue000/g, (_, index: string) => kept[Number(index)]!))
    .map((sentence) =>
      sentence
        .trim()
        .replace(/^(?:please|now|first|and|also)[ ,]+/i, '')
        .replace(/[.,;!]+$/, ''),
    )
    .filter((sentence) => sentence !== '');
}

/** A word that looks like a path, without the quotes and the punctuation around it. */
export const pathIn = (words: string): string | undefined => {
  const bare = words
    .trim()
    .replace(/^[`"'“]|[`"'”?!,;:]+$/g, '')
    .replace(/\.$/, '');
  return bare !== '' && !/\s/.test(bare) ? bare : undefined;
};

export const isFileName = (path: string): boolean => /[./]/.test(path) || /^[A-Z]+file$/i.test(path);

/** What stands in quotes, or the words as they are. */
export const unquote = (words: string): string => words.trim().replace(/^["“`]([\s\S]*)["”`]$/, '$1');
