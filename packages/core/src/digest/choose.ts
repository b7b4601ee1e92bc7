import { type Around, worthOf } from './features.ts';
import type { Line, Lines } from './lines.ts';

/** What counts besides the value of a line: names not told yet, pairs of them, and sources that nothing was told of. */
const mix = { names: 0.8, pairs: 1, files: 16, others: 8 };

/** More are not looked at. */
const MOST_CANDIDATES = 4_000;
const MOST_PAIRED = 8;

interface Candidate {
  readonly line: Line;
  readonly order: number;
  /** Learned, in units of the mean. */
  readonly value: number;
  readonly names: readonly string[];
  readonly rarity: number;
  gain: number;
}

/** How rare a line's words are: the mean of what each is among the parts of the transcript. */
export const readRarity = ({ words: all }: Line, { words }: Lines): number =>
  all.reduce((sum, word) => sum + 1 / (words.parts[word] as number), 0) / all.length;

const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

/**
 * Lines in the order of what each adds to those before it, for its length, until they come to so many characters: what it is
 * worth by itself as far as its phrases are new, the names that were not told yet and their pairs, and a source's first lines.
 */
export function chooseLines(
  around: Around,
  chars: number,
  told: string,
  costOf: (line: Line, isFirst: boolean) => number,
): readonly Line[] {
  const all = [...around.lines.all.values()].filter(({ text }) => !told.includes(text));
  const weigh = newNameWeights(around);
  const candidates = all.map(
    (line, order): Candidate => ({
      line,
      order,
      value: worthOf(line, around),
      names: namesOf(line.text),
      rarity: readRarity(line, around.lines),
      gain: 0,
    }),
  );
  const mean = (read: (one: Candidate) => number): number =>
    candidates.reduce((sum, one) => sum + read(one), 0) / Math.max(1, candidates.length) || 1;
  const meanValue = mean(({ value }) => value);
  const meanNames = mean(({ names }) => names.reduce((sum, name) => sum + weigh(name), 0));
  const namesTold = new Set(namesOf(`${around.beside}\n${told}`));
  const pairsTold = new Set<string>();
  const phrasesTold = new Set(around.besidePhrases);
  const sourcesTold = new Map<unknown, number>();
  const chosen = new Set<number>();
  const sourceOf = ({ subject, at }: Line): unknown => (subject.name === '' ? at : subject);

  function gainOf({ line, order, value, names, rarity }: Candidate): number {
    const { phrases } = line;
    let fresh = 0;
    for (const one of phrases) if (!phrasesTold.has(one)) fresh++;
    let news = 0;
    for (const name of names) if (!namesTold.has(name)) news += weigh(name);
    const near = [...names];
    for (const beside of [order - 1, order + 1])
      if (chosen.has(beside)) near.push(...(candidates[beside]?.names.slice(0, 4) ?? []));
    let pairs = 0;
    for (let a = 0; a < Math.min(MOST_PAIRED, near.length); a++)
      for (let b = a + 1; b < Math.min(MOST_PAIRED, near.length); b++) {
        const [one, other] = [near[a] as string, near[b] as string];
        if (one !== other && !pairsTold.has(pairKey(one, other))) pairs += Math.sqrt(weigh(one) * weigh(other));
      }
    const times = sourcesTold.get(sourceOf(line)) ?? 0;
    const isNew = phrases.length === 0 ? 1 : fresh / phrases.length;
    const sources = line.subject.isFile ? mix.files : mix.others;
    const worth =
      (value / meanValue) * isNew +
      (mix.names * (news + mix.pairs * pairs)) / meanNames +
      (sources * rarity * isNew) / (1 + times) ** 2;
    return worth / costOf(line, times === 0);
  }

  for (const one of candidates) one.gain = gainOf(one);
  const heap = candidates.toSorted((a, b) => b.gain - a.gain || a.order - b.order).slice(0, MOST_CANDIDATES);
  const made: Line[] = [];
  let left = chars;
  for (let tries = 0; left > 0 && heap.length > 0 && tries < 4 * MOST_CANDIDATES; tries++) {
    const best = heap.shift() as Candidate;
    const gain = gainOf(best);
    if (heap.length > 0 && gain < (heap[0] as Candidate).gain * 0.999) {
      best.gain = gain;
      putBack(heap, best);
      continue;
    }
    const { line, order, names } = best;
    if (chosen.has(order)) continue;
    const first = !sourcesTold.has(sourceOf(line));
    const cost = costOf(line, first);
    if (cost > left && made.length > 0) continue;
    left -= cost;
    chosen.add(order);
    made.push(line);
    for (const one of line.phrases) phrasesTold.add(one);
    for (const name of names) namesTold.add(name);
    for (const a of names) for (const b of names) if (a < b) pairsTold.add(pairKey(a, b));
    sourcesTold.set(sourceOf(line), (sourcesTold.get(sourceOf(line)) ?? 0) + 1);
    // What stands next to it is worth more now.
    for (const beside of [candidates[order - 1], candidates[order + 1]])
      if (beside !== undefined && !chosen.has(beside.order)) putBack(heap, { ...beside, gain: gainOf(beside) });
  }
  return made;
}

function putBack(heap: Candidate[], one: Candidate): void {
  let low = 0;
  let high = heap.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heap[middle] as Candidate).gain > one.gain) low = middle + 1;
    else high = middle;
  }
  heap.splice(low, 0, one);
}

const extensions =
  'tsx?|[cm]?jsx?|py|go|rs|md|json|ya?ml|toml|sh|sql|s?css|html?|txt|lock|[ch](?:pp)?|java|rb|php|swift|kt|svelte|vue|csv|xml|env|ini|cfg';
const name = new RegExp(
  [
    `(?:[\\w.@+~-]*/)+[\\w.@+-]*\\w|\\b[\\w@+-][\\w.@+-]*\\.(?:${extensions})\\b`,
    '\\b(?:[A-Za-z]*[a-z\\d][A-Z]\\w*|[A-Za-z]+(?:_[A-Za-z\\d]+)+|(?=[\\da-f]*[a-f])(?=[\\da-f]*\\d)[\\da-f]{7,40})\\b',
    '(?<!\\S)--[a-z][\\w-]+',
  ].join('|'),
  'g',
);

/** The names in a text, each once, in their order: files by the last part of their paths, names of several words, hashes, flags. */
export const namesOf = (text: string): readonly string[] =>
  [...new Set((text.match(name) ?? []).map((one) => one.slice(one.lastIndexOf('/') + 1)))].filter(
    ({ length }) => length > 3,
  );

/** A name weighs as often as it stood, and more where the model wrote it. */
function newNameWeights({ lines: { words } }: Around): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    let weight = known.get(name);
    if (weight === undefined) {
      let uses = Infinity;
      for (const one of name.match(/[A-Za-z_$\u00c0-\u024f][\w$]*/g) ?? []) {
        const number = words.find(one);
        if (number !== undefined)
          uses = Math.min(uses, (words.parts[number] as number) + 2 * (words.said[number] as number));
      }
      weight = Math.min(12, Number.isFinite(uses) ? Math.max(1, uses) : 1) ** 0.6;
      known.set(name, weight);
    }
    return weight;
  };
}
