import { newStride, type Steps } from '../../steps.ts';
import type { Evidence, IdentifierEvidence } from '../evidence/evidence.ts';
import { rankIdentifiers, worthOf } from '../evidence/rank-identifiers.ts';
import { scanIdentifiers, visitParts } from '../evidence/scan-identifiers.ts';
import { isFileName, isSerial, isTelling, listNames } from '../evidence/statement-names.ts';
import { weighName } from '../evidence/weigh-name.ts';
import type { Beside } from './beside.ts';
import { findRoot, listTold } from './find-root.ts';

/** No digest of 20,000 tokens holds more. */
const mostShown = 8_000;

interface Candidate {
  readonly one: IdentifierEvidence;
  readonly odds: number;
  /** Shorter identifiers that it says too, with their odds. */
  readonly parts: ReadonlyMap<string, number>;
}

interface Weighed extends Candidate {
  worth: number;
}

/** An identifier as the index shows it. */
export interface IndexEntry {
  readonly text: string;
  /** The file that it was last seen in. */
  readonly file: string | undefined;
  /** Where it last stood among all. */
  readonly order: number;
}

/**
 * The index: identifiers by need, without those that the text before it, or what stands beside it, shows already. A longer one that says shorter
 * ones too stands for them all: its worth is theirs together, as far as they are not shown yet.
 */
export function* newIndex(evidence: Evidence, beside: Beside): Steps<(before: string) => Generator<IndexEntry>> {
  const candidates = yield* listCandidates(evidence);
  const root = findRoot(evidence);
  const lastSeen = yield* findLastSeen(evidence);
  return function* (before) {
    const shown = new Set<string>();
    const show = (identifier: string): void => {
      shown.add(identifier);
      visitParts(identifier, (part) => shown.add(part));
    };
    for (const name of beside.names) show(name);
    scanIdentifiers(before, show);
    for (const path of listTold(evidence.files, shown)) show(path);
    const own = before.includes(root) ? root : '';
    const queue = newQueue(candidates, (candidate) => worthNow(candidate, shown));
    for (let best = queue.takeBest(); best !== undefined; best = queue.takeBest()) {
      const { identifier } = best.one;
      const short = own !== '' && identifier.startsWith(own) ? identifier.slice(own.length) : identifier;
      if (short === '' || shown.has(identifier) || shown.has(short) || isListed(short, shown)) continue;
      // Worth only ever falls, so it is counted again when a candidate's turn comes.
      const worth = best.parts.size === 0 ? best.worth : worthNow(best, shown);
      if (worth < best.worth) {
        queue.putBack(best, worth);
        continue;
      }
      show(identifier);
      show(short);
      const { file, order = -1 } = lastSeen.get(identifier) ?? {};
      yield { text: short, file, order };
    }
  };
}

/** Words of prose look like names: in capitals, joined by hyphens or slashes, or two sentences that were not parted. */
const prose = /^[A-Z]+$|^[a-z]+(?:-[a-z]+)+$|^[\w$-]+\/[\w$-]+$|^[a-z]+\.[A-Z][a-z]+$/;
/** A word of a comment, in capitals. */
const emphasis = /^[A-Z]+$/;
/** What any list, text or date can do. */
const builtIn =
  /^[a-z]\w*\.(?:at|concat|entries|every|filter|find|flat|flatMap|forEach|includes|indexOf|join|keys|length|map|match|pop|push|reduce|replace|replaceAll|reverse|slice|some|sort|splice|split|startsWith|test|toFixed|toISOString|toLowerCase|toString|trim|append|extend|items|strip|format|String|Error|Errorf|Fatal|Fatalf|Log|Logf|Run|Helper)$/;
/** A count, a mode, a half of a date; a folder. */
const bare = /^\d|\/$/;

/** Whether an identifier tells something by itself. A number never does. */
function isIndexed({ identifier, kind, inCalls, inWritten, used }: IdentifierEvidence): boolean {
  if (kind === 'number' || !isTelling(identifier, kind)) return false;
  if (kind !== 'name' && kind !== 'path') return true;
  if (used < 0 && isSerial(identifier)) return false;
  if (bare.test(identifier) || builtIn.test(identifier)) return false;
  return inCalls > 0 || (inWritten > 0 && !emphasis.test(identifier)) || !prose.test(identifier);
}

/** A path whose file a list names. */
const isListed = (path: string, shown: ReadonlySet<string>): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name !== path && isFileName(name) && shown.has(name);
};

/** Where an identifier was last seen: in which file, and behind how many others. */
interface LastSeen {
  readonly file: string | undefined;
  readonly order: number;
}

function* findLastSeen({ statements = [] }: Evidence): Steps<ReadonlyMap<string, LastSeen>> {
  const seen = new Map<string, LastSeen>();
  const isStop = newStride(64);
  let order = 0;
  for (const one of statements) {
    if (isStop()) yield;
    const isInFile = isFileName(one.about);
    for (const name of listNames(one))
      seen.set(name, { file: isInFile ? one.about : seen.get(name)?.file, order: order++ });
  }
  return seen;
}

function* listCandidates(evidence: Evidence): Steps<readonly Candidate[]> {
  const telling = evidence.identifiers.filter(isIndexed);
  yield;
  const ranked = rankIdentifiers(telling, evidence.chars, mostShown).map((one) => ({
    one,
    odds: weighName(one, evidence.chars),
  }));
  yield;
  const oddsOf = new Map(ranked.map(({ one, odds }) => [one.identifier, odds]));
  const isStop = newStride(64);
  const candidates: Candidate[] = [];
  for (const { one, odds } of ranked) {
    if (isStop()) yield;
    const parts = new Map<string, number>();
    visitParts(one.identifier, (part) => {
      const partOdds = oddsOf.get(part);
      if (partOdds !== undefined) parts.set(part, partOdds);
    });
    candidates.push({ one, odds, parts });
  }
  return candidates;
}

function worthNow({ one, odds, parts }: Candidate, shown: ReadonlySet<string>): number {
  let sum = odds;
  for (const [part, partOdds] of parts) if (!shown.has(part)) sum += partOdds;
  return worthOf(sum, one.identifier.length);
}

/** Candidates by worth, best first; one whose worth fell goes back to where it now belongs. */
function newQueue(
  candidates: readonly Candidate[],
  weigh: (candidate: Candidate) => number,
): { takeBest(): Weighed | undefined; putBack(candidate: Weighed, worth: number): void } {
  const sorted = candidates.map((candidate): Weighed => ({ ...candidate, worth: weigh(candidate) }));
  sorted.sort((a, b) => b.worth - a.worth);
  const returned: Weighed[] = [];
  let at = 0;
  return {
    takeBest() {
      const next = sorted[at];
      const back = returned.at(-1);
      if (back !== undefined && (next === undefined || back.worth >= next.worth)) return returned.pop();
      at++;
      return next;
    },
    putBack(candidate, worth) {
      candidate.worth = worth;
      returned.splice(findPlace(returned, worth), 0, candidate);
    },
  };
}

/** The place of a worth in a list that rises by it. */
function findPlace(rising: readonly Weighed[], worth: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]!.worth < worth) low = middle + 1;
    else high = middle;
  }
  return low;
}
