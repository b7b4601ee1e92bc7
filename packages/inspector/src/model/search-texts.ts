import type { Course, Found, Hit } from './inspection.ts';
import { parseQuery, snip } from './snip.ts';

/** At most so many hits are shown. */
const MOST_HITS = 50;

/** Of those that hold only some of the words, the ones that come near to the best. */
const NEAR_BEST = 0.5;

/** What is searched: texts by place, where there is one, and the names that page and recall have for messages. */
export interface Searched {
  readonly texts: readonly (string | undefined)[];
  readonly ids: readonly string[];
  readonly titles: readonly string[];
  /** The course whose references count as names. */
  readonly own: Course | undefined;
  /** What may be shown of a line. */
  readonly show?: (line: string) => string;
}

/** How well a message answers: higher goes before. */
interface Ranked {
  readonly at: number;
  readonly rank: number;
}

/**
 * The messages that hold all words of a query, those in front that hold it as it is typed; where none does, those that hold most,
 * rare words before common ones. What stands in quotes is one word. A message that is named goes before all.
 */
export function searchTexts({ texts, titles, show = (line) => line, ...names }: Searched, query: string): Found {
  const { phrase, words } = parseQuery(query);
  if (words.length === 0) return { hits: [], isCut: false, match: 'all' };
  const named = findNamed(names, query.trim());
  const { found, match } = findBest(texts, phrase, words);
  const others = found.filter(({ at }) => !named.includes(at));
  const tell = (at: number): Hit => ({ at, line: snip(show(findLine(texts[at] ?? '', phrase, words)), query) });
  return {
    hits: [
      ...named.map((at) => ({ at, line: titles[at] ?? '' })),
      ...others.slice(0, MOST_HITS - named.length).map(({ at }) => tell(at)),
    ],
    isCut: named.length + others.length > MOST_HITS,
    match: others.length === 0 && named.length > 0 ? 'all' : match,
    ...(named[0] === undefined ? {} : { named: named[0] }),
  };
}

/** Places by `#15`, by a reference such as `e34`, or by a message's own id. */
function findNamed({ ids, own }: Pick<Searched, 'ids' | 'own'>, name: string): readonly number[] {
  const [, number] = /^#(\d+)$/.exec(name.replaceAll(',', '')) ?? [];
  const place = number === undefined ? ids.indexOf(name) : Number(number) - 1;
  if (place >= 0 && place < ids.length) return [place];
  const item = own?.cliffs.flatMap(({ items }) => items).findLast(({ ref }) => ref === name);
  if (item === undefined) return [];
  return Array.from({ length: Math.min(MOST_HITS, item.to - item.from + 1) }, (_, i) => item.from + i);
}

function findBest(
  texts: Searched['texts'],
  phrase: string,
  words: readonly string[],
): { readonly found: readonly Ranked[]; readonly match: Found['match'] } {
  const counts = words.map(() => 0);
  const some: { readonly at: number; readonly held: readonly boolean[] }[] = [];
  for (const [at, text] of texts.entries()) {
    const lower = text?.toLowerCase();
    const held = words.map((word) => lower?.includes(word) === true);
    if (!held.includes(true)) continue;
    for (const [i, isHeld] of held.entries()) if (isHeld) counts[i] = (counts[i] ?? 0) + 1;
    some.push({ at, held });
  }
  const all = some.filter(({ held }) => !held.includes(false));
  if (all.length > 0) {
    const rank = (text: string): number => {
      if (text.toLowerCase().includes(phrase)) return 2;
      const line = findLine(text, phrase, words).toLowerCase();
      return words.every((word) => line.includes(word)) ? 1 : 0;
    };
    return { found: sortBest(all.map(({ at }) => ({ at, rank: rank(texts[at] ?? '') }))), match: 'all' };
  }
  const weights = counts.map((count) => Math.log(1 + texts.length / Math.max(1, count)));
  const weighed = some.map(({ at, held }) => ({
    at,
    rank: held.reduce((sum, isHeld, i) => sum + (isHeld ? (weights[i] ?? 0) : 0), 0),
  }));
  const best = weighed.reduce((most, { rank }) => Math.max(most, rank), 0);
  return { found: sortBest(weighed.filter(({ rank }) => rank > best * NEAR_BEST)), match: 'some' };
}

const sortBest = (found: readonly Ranked[]): readonly Ranked[] =>
  found.toSorted((one, other) => other.rank - one.rank || one.at - other.at);

/** The line that holds the words as they were typed, else the one that holds most of them where each stands first. */
function findLine(text: string, phrase: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const readLine = (at: number): string => {
    const end = text.indexOf('\n', at);
    return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
  };
  const whole = lower.indexOf(phrase);
  if (whole >= 0) return readLine(whole);
  const countHeld = (line: string): number => words.filter((word) => line.toLowerCase().includes(word)).length;
  const lines = words.flatMap((word) => {
    const at = lower.indexOf(word);
    return at < 0 ? [] : [readLine(at)];
  });
  return lines.reduce((best, line) => (countHeld(line) > countHeld(best) ? line : best), lines[0] ?? '');
}
