const PATH =
  /(?<![\w@])(?:~|\.{0,2})?\/?(?:[\w.@+-]+\/)+[\w.@+-]*\w|\b[\w-]+\.(?:ts|tsx|js|mjs|py|go|rs|md|json|ya?ml|toml|sh|sql|css|html|txt|lock|c|h|cpp|java|rb|php|swift|kt|svelte|vue)\b/g;
const OTHERS = [
  // Names of several words: camelCase, snake_case, CONSTANT_CASE.
  /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-zA-Z]+(?:_[a-zA-Z0-9]+)+|[A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+)+)\b/g,
  // Hashes, then flags.
  /\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g,
  /(?<!\S)--[a-z][\w-]+/g,
];
const MIN_NAME_CHARS = 4;
/** Two names are a pair when they begin within this many characters of each other. */
const PAIR_CHARS = 100;

interface PlacedName {
  readonly at: number;
  readonly name: string;
}

/** Identifiers with their places; a path counts by its file's name. */
function placeNames(text: string): readonly PlacedName[] {
  const placed: PlacedName[] = [];
  for (const { 0: path, index } of text.matchAll(PATH))
    placed.push({
      at: index,
      name:
        path
          .replace(/^[./]+/, '')
          .split('/')
          .at(-1) ?? '',
    });
  for (const pattern of OTHERS)
    for (const { 0: name, index } of text.matchAll(pattern)) placed.push({ at: index, name });
  return placed.filter(({ name }) => name.length >= MIN_NAME_CHARS).sort((a, b) => a.at - b.at);
}

export const listNames = (text: string): ReadonlySet<string> => new Set(placeNames(text).map(({ name }) => name));

/** Pairs of these names that stand close to each other, each as one string. */
export function listPairs(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const placed = placeNames(text).filter(({ name }) => wanted.has(name));
  const pairs = new Set<string>();
  for (const [i, one] of placed.entries())
    for (let j = i + 1; j < placed.length; j++) {
      const other = placed[j];
      if (other === undefined || other.at - one.at > PAIR_CHARS) break;
      if (one.name !== other.name) pairs.add([one.name, other.name].sort().join('\0'));
    }
  return pairs;
}
