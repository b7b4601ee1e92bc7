import type { Steps } from '../../steps.ts';
import type { Evidence, IdentifierEvidence, StatementEvidence } from '../evidence/evidence.ts';
import { rankIdentifiers, worthOf } from '../evidence/rank-identifiers.ts';
import { scanIdentifiers, visitParts } from '../evidence/scan-identifiers.ts';
import { isFileName, isSerial, isTelling, listNames } from '../evidence/statement-names.ts';
import { isHyphened } from '../evidence/weigh-name.ts';
import type { Beside } from './beside.ts';
import { findRoot, listTold } from './find-root.ts';
import type { NearNames } from './near-names.ts';

/** No digest of 20,000 tokens holds more. */
const mostShown = 8_000;
/** So many are read in one step. */
const readAtOnce = 256;

interface Candidate {
  readonly identifier: string;
  readonly odds: number;
  /** Shorter identifiers that it says too, with their odds, where there are any. */
  readonly parts: ReadonlyMap<string, number> | undefined;
}

/** An identifier as the index shows it. */
export interface IndexEntry {
  readonly identifier: string;
  /** As it is shown: below the root, where that was said. */
  readonly text: string;
  /** The file that it was last seen in. */
  readonly file: string | undefined;
  /** Where it last stood: behind how many statements, and within one the later a little more. */
  readonly order: number;
}

/** What stood near a statement that is told is worth more: it says what stands around it. */
const nearFactor = 1.5;

/** Goes through the index, best first, behind a text that says `before`; `near`: the names that stood near what it tells. */
export type WalkIndex = (before: string, near: NearNames) => Generator<IndexEntry>;

/**
 * The index: identifiers by need, without those that the text before it, or what stands beside it, shows already. A longer one that says shorter
 * ones too stands for them all: its worth is theirs together, as far as they are not shown yet.
 */
export function* newIndex(evidence: Evidence, beside: Beside): Steps<WalkIndex> {
  const candidates = yield* listCandidates(evidence);
  const root = findRoot(evidence);
  const lastSeen = yield* findLastSeen(evidence);
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
    const weigh = (candidate: Candidate): number =>
      worthNow(candidate, shown) * (near.has(candidate.identifier) ? nearFactor : 1);
    const worths = Float64Array.from(candidates, weigh);
    const queue = newQueue(worths);
    for (let best = queue.takeBest(); best !== undefined; best = queue.takeBest()) {
      const candidate = candidates[best] as Candidate;
      const { identifier, parts } = candidate;
      const short = own !== '' && identifier.startsWith(own) ? identifier.slice(own.length) : identifier;
      if (short === '' || shown.has(identifier) || shown.has(short) || isListed(short, shown)) continue;
      if (isHyphened(identifier, 'name') && !lastSeen.isName(identifier)) continue;
      // Worth only ever falls, so it is counted again when a candidate's turn comes.
      const worth = parts === undefined ? worths[best] : weigh(candidate);
      if (worth !== undefined && worth < (worths[best] as number)) {
        queue.putBack(best, worth);
        continue;
      }
      show(identifier);
      show(short);
      yield { identifier, text: short, ...lastSeen.find(identifier) };
    }
  };
}

/** Names in the order in which they stood. */
export const joinInOrder = (group: readonly IndexEntry[]): string =>
  [...group]
    .sort((one, other) => one.order - other.order)
    .map(({ text }) => text)
    .join(' ');

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
  if (bare.test(identifier) || (identifier.includes('.') && builtIn.test(identifier))) return false;
  return inCalls > 0 || (inWritten > 0 && !emphasis.test(identifier)) || !prose.test(identifier);
}

/** A path whose file a list names. */
const isListed = (path: string, shown: ReadonlySet<string>): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name !== path && isFileName(name) && shown.has(name);
};

/** Where identifiers were last seen: in which file, and where among all statements. */
interface LastSeen {
  find(identifier: string): Pick<IndexEntry, 'file' | 'order'>;
  /** Words that hyphens join are a name where they stood in quotes, as a tag or behind an equals sign. */
  isName(hyphened: string): boolean;
}

/** What stands before a name that is quoted, and before few words of prose. */
const quotes = '"\'`=@<';

function* findLastSeen({ statements = [] }: Evidence): Steps<LastSeen> {
  const numbers = new Map<string, number>();
  const files: (string | undefined)[] = [];
  const orders: number[] = [];
  const quoted = new Set<string>();
  const see = (names: readonly string[], { about, text }: StatementEvidence, at: number): void => {
    const file = isFileName(about) ? about : undefined;
    for (const [i, name] of names.entries()) {
      let number = numbers.get(name);
      if (number === undefined) {
        number = files.push(undefined) - 1;
        numbers.set(name, number);
      }
      if (file !== undefined) files[number] = file;
      orders[number] = at + i / names.length;
      if (isHyphened(name, 'name') && isQuoted(text, name)) quoted.add(name);
    }
  };
  for (let from = 0; from < statements.length; from += readAtOnce) {
    for (const [i, statement] of statements.slice(from, from + readAtOnce).entries())
      see(listNames(statement), statement, from + i);
    yield;
  }
  return {
    find(identifier) {
      const number = numbers.get(identifier) ?? -1;
      return { file: files[number], order: orders[number] ?? -1 };
    },
    isName: (hyphened) => quoted.has(hyphened),
  };
}

function isQuoted(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at > 0 && quotes.includes(text.charAt(at - 1));
}

function* listCandidates({ identifiers, chars }: Evidence): Steps<readonly Candidate[]> {
  const telling = identifiers.filter(isIndexed);
  yield;
  const ranked = rankIdentifiers(telling, chars, mostShown);
  yield;
  const oddsOf = new Map(ranked.map(({ identifier, weight }) => [identifier, weight]));
  const candidates: Candidate[] = [];
  for (let from = 0; from < ranked.length; from += readAtOnce) {
    for (const { identifier, weight } of ranked.slice(from, from + readAtOnce))
      candidates.push({ identifier, odds: weight, parts: findParts(identifier, oddsOf) });
    yield;
  }
  return candidates;
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

/** Candidates by worth, best first, of equals the first; one whose worth fell goes back to where it now belongs. */
function newQueue(worths: Float64Array): {
  takeBest(): number | undefined;
  putBack(candidate: number, worth: number): void;
} {
  const worthAt = (candidate: number): number => worths[candidate] as number;
  const sorted = Array.from(worths, (_, candidate) => candidate).sort((a, b) => worthAt(b) - worthAt(a));
  const returned: number[] = [];
  let at = 0;
  return {
    takeBest() {
      const next = sorted[at];
      const back = returned.at(-1);
      if (back !== undefined && (next === undefined || worthAt(back) >= worthAt(next))) return returned.pop();
      at++;
      return next;
    },
    putBack(candidate, worth) {
      worths[candidate] = worth;
      returned.splice(findPlace(returned, worths, worth), 0, candidate);
    },
  };
}

/** The place of a worth in a list that rises by it. */
function findPlace(rising: readonly number[], worths: Float64Array, worth: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((worths[rising[middle] as number] as number) < worth) low = middle + 1;
    else high = middle;
  }
  return low;
}
