import type { Evidence, IdentifierEvidence } from '../evidence/evidence.ts';
import { type IdentifierKind, scanIdentifiers, visitParts } from '../evidence/identifiers.ts';
import { needOdds, rankIdentifiers, worthOf } from '../evidence/rank-identifiers.ts';
import type { Item } from './section-items.ts';

const groups: Readonly<Record<IdentifierKind, string>> = {
  path: 'paths',
  name: 'names',
  flag: 'flags',
  variable: 'variables',
  number: 'numbers',
  hash: 'hashes',
  url: 'urls',
};

/** No digest of 20,000 tokens holds more. */
const mostShown = 8_000;

interface Candidate {
  readonly one: IdentifierEvidence;
  /** Shorter identifiers that it says too. */
  readonly parts: readonly string[];
  worth: number;
}

/**
 * The index: identifiers by need, without those that the text before it shows already. A longer one that says shorter
 * ones too stands for them all: its worth is theirs together, as far as they are not shown yet.
 */
export function newIndex(evidence: Evidence): (before: string) => Generator<Item> {
  const best = rankIdentifiers(evidence.identifiers, evidence.chars, mostShown);
  const odds = new Map(best.map((one) => [one.identifier, needOdds(one, evidence.chars)]));
  const partsOf = (identifier: string): readonly string[] => {
    const parts = new Set<string>();
    visitParts(identifier, (part) => {
      if (odds.has(part)) parts.add(part);
    });
    return [...parts];
  };
  const candidates = best.map((one) => ({ one, parts: partsOf(one.identifier) }));

  return function* (before) {
    const shown = new Set<string>();
    const show = (identifier: string): void => {
      shown.add(identifier);
      visitParts(identifier, (part) => shown.add(part));
    };
    scanIdentifiers(before, show);
    const worthNow = ({ one, parts }: Omit<Candidate, 'worth'>): number => {
      let sum = odds.get(one.identifier)!;
      for (const part of parts) if (!shown.has(part)) sum += odds.get(part)!;
      return worthOf(sum, one.identifier);
    };
    const first = candidates.map((candidate): Candidate => ({ ...candidate, worth: worthNow(candidate) }));
    first.sort((a, b) => b.worth - a.worth);

    // Greedy and lazy: worth only ever falls, so it is counted again when a candidate's turn comes.
    const putBack: Candidate[] = [];
    let at = 0;
    while (at < first.length || putBack.length > 0) {
      const fromBack = putBack.length > 0 && (at >= first.length || putBack.at(-1)!.worth >= first[at]!.worth);
      const candidate = fromBack ? putBack.pop()! : first[at++]!;
      if (shown.has(candidate.one.identifier)) continue;
      const worth = candidate.parts.length === 0 ? candidate.worth : worthNow(candidate);
      if (worth < candidate.worth) {
        candidate.worth = worth;
        putBack.splice(findPlace(putBack, worth), 0, candidate);
        continue;
      }
      show(candidate.one.identifier);
      yield { text: candidate.one.identifier, group: groups[candidate.one.kind] };
    }
  };
}

/** Where in a list that rises by worth. */
function findPlace(rising: readonly Candidate[], worth: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]!.worth < worth) low = middle + 1;
    else high = middle;
  }
  return low;
}
