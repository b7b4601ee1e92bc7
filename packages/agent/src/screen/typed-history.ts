/** What was typed before, in this session and in earlier ones. */
export interface TypedHistory {
  /** Newest last. */
  readonly lines: readonly string[];
  add(line: string): void;
  /** The newest line before this place that holds the words, letters large or small. */
  find(words: string, before: number): number;
}

const MOST_REMEMBERED = 500;

/** `onAdd` hears what is new, to keep it for the next session. */
export function newTypedHistory(
  earlier: readonly string[] = [],
  onAdd: (line: string) => void = () => {},
): TypedHistory {
  const lines = earlier.slice(-MOST_REMEMBERED);
  return {
    lines,
    add(line) {
      if (line.trim() === '' || lines.at(-1) === line) return;
      lines.push(line);
      if (lines.length > MOST_REMEMBERED) lines.shift();
      onAdd(line);
    },
    find: (words, before) =>
      lines.findLastIndex((line, i) => i < before && line.toLowerCase().includes(words.toLowerCase())),
  };
}
