import type { Evidence } from '../evidence/evidence.ts';
import { rankIdentifiers, worthOf } from '../evidence/rank-identifiers.ts';
import { scanIdentifiers, visitParts } from '../evidence/scan-identifiers.ts';
import { isFileName } from '../evidence/statement-names.ts';
import { isHyphened } from '../evidence/weigh-name.ts';
import type { Beside } from './beside.ts';
import { findRoot, listTold } from './find-root.ts';
import { newHeap, popBest, pushOne } from './heap.ts';
import { isIndexed } from './is-indexed.ts';
import { findLastSeen, type LastSeen, type Seen } from './last-seen.ts';
import type { NearNames } from './near-names.ts';
import { type TellStatement, visitAround } from './visit-around.ts';

/** No digest of 20,000 tokens holds more. */
const mostShown = 8_000;

interface Candidate {
  readonly identifier: string;
  readonly odds: number;
  /** Shorter identifiers that it says too, with their odds, where there are any. */
  readonly parts: ReadonlyMap<string, number> | undefined;
}

/** An identifier as the index shows it. */
export interface IndexEntry extends Seen {
  readonly identifier: string;
  /** As it is shown: below the root, where that was said. */
  readonly text: string;
}

/** What stood near what is told is worth more, for it says what belongs to it: this part for each name of the index, and for a statement as for so many of them, up to so many. */
const besidePart = 0.25;
const besideStatement = 2;
const mostBeside = 4;

/** Goes through the index, best first, behind a text that says `before`; `near`: the names that stood near what it tells. */
export type WalkIndex = (before: string, near: NearNames) => Generator<IndexEntry>;

/**
 * The index: identifiers by need, without those that the text before it, or what stands beside it, shows already. A longer one that says shorter
 * ones too stands for them all: its worth is theirs together, as far as they are not shown yet.
 */
export function newIndex(evidence: Evidence, beside: Beside): WalkIndex {
  const candidates = listCandidates(evidence);
  const root = findRoot(evidence);
  const lastSeen = findLastSeen(evidence);
  const { statements = [] } = evidence;
  const listBeside = listNeighbours(candidates, lastSeen, (number) => statements[number]);
  return function* (before, near) {
    const shown = new Set<string>();
    const show = (identifier: string): void => {
      shown.add(identifier);
      visitParts(identifier, (part) => shown.add(part));
    };
    for (const name of beside.names) show(name);
    scanIdentifiers(before, show);
    for (const path of listTold(evidence.files, shown)) show(path);
    const own = before.includes(root) ? root : '';
    /** Near how many names that are told each stood. */
    const told = Uint8Array.from(candidates, ({ identifier }) => (near.has(identifier) ? besideStatement : 0));
    const weigh = (number: number): number =>
      worthNow(candidates[number] as Candidate, shown) * (1 + besidePart * (told[number] as number));
    const numbers = candidates.map((_, number) => number);
    const heap = newHeap(numbers, Float64Array.from(numbers, weigh));
    for (let best = popBest(heap); best >= 0; best = popBest(heap)) {
      const { identifier } = candidates[best] as Candidate;
      const short = own !== '' && identifier.startsWith(own) ? identifier.slice(own.length) : identifier;
      if (short === '' || shown.has(identifier) || shown.has(short) || isListed(short, shown)) continue;
      if (isHyphened(identifier, 'name') && !lastSeen.isName(identifier)) continue;
      // What others say already makes it worth less, so it is weighed again when its turn comes.
      const worth = weigh(best);
      if (worth < heap.worth) {
        pushOne(heap, best, worth);
        continue;
      }
      show(identifier);
      show(short);
      yield { identifier, text: short, ...lastSeen.find(identifier) };
      for (const other of listBeside(best)) {
        if ((told[other] as number) >= mostBeside) continue;
        told[other] = (told[other] as number) + 1;
        pushOne(heap, other, weigh(other));
      }
    }
  };
}

/** Those that last stood near where a candidate did. */
function listNeighbours(
  candidates: readonly Candidate[],
  lastSeen: LastSeen,
  tell: TellStatement,
): (number: number) => readonly number[] {
  const places = Int32Array.from(candidates, ({ identifier }) => Math.floor(lastSeen.find(identifier).order));
  const byPlace = new Map<number, number[]>();
  for (let number = 0; number < places.length; number++) {
    const place = places[number] as number;
    const there = byPlace.get(place);
    if (there === undefined) byPlace.set(place, [number]);
    else there.push(number);
  }
  return (number) => {
    const place = places[number] as number;
    if (place < 0) return [];
    const near = (byPlace.get(place) ?? []).filter((other) => other !== number);
    visitAround(place, tell, (at) => {
      near.push(...(byPlace.get(at) ?? []));
    });
    return near;
  };
}

/** Names in the order in which they stood. */
export const joinInOrder = (group: readonly IndexEntry[]): string =>
  [...group]
    .sort((one, other) => one.order - other.order)
    .map(({ text }) => text)
    .join(' ');

/** A path whose file a list names. */
const isListed = (path: string, shown: ReadonlySet<string>): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name !== path && isFileName(name) && shown.has(name);
};

function listCandidates({ identifiers, chars }: Evidence): readonly Candidate[] {
  const telling = identifiers.filter(isIndexed);
  const ranked = rankIdentifiers(telling, chars, mostShown);
  const oddsOf = new Map(ranked.map(({ identifier, weight }) => [identifier, weight]));
  return ranked.map(({ identifier, weight }) => ({ identifier, odds: weight, parts: findParts(identifier, oddsOf) }));
}

function findParts(identifier: string, oddsOf: ReadonlyMap<string, number>): ReadonlyMap<string, number> | undefined {
  let parts: Map<string, number> | undefined;
  visitParts(identifier, (part) => {
    const odds = oddsOf.get(part);
    if (odds === undefined) return;
    parts ??= new Map();
    parts.set(part, odds);
  });
  return parts;
}

function worthNow({ identifier, odds, parts }: Candidate, shown: ReadonlySet<string>): number {
  let sum = odds;
  if (parts !== undefined) for (const [part, partOdds] of parts) if (!shown.has(part)) sum += partOdds;
  return worthOf(sum, identifier.length);
}
