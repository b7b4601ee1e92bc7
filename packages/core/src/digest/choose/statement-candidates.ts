import type { StatementEvidence, StatementSource } from '../evidence/evidence.ts';
import { findLeast } from '../evidence/find-least.ts';
import { isFileName, listNames } from '../evidence/statement-names.ts';
import { listPairs, type NamePairs } from './name-pairs.ts';
import type { NameWeights } from './weigh-names.ts';

/** The model's own words sum up, what it wrote into calls it acted on; results are raw. */
const roles: Readonly<Record<StatementSource, number>> = { said: 1.4, called: 1.25, shown: 1 };

/** What a line costs besides its text, in characters: its break, and its part of what stands above it. */
export const besideChars = 3;
/** Lines with less between them are neighbours. */
const nearChars = 60;
/** Of a line with more names, the weightiest make pairs. */
const mostPaired = 8;
/** With no more than this around it a file or a folder stands by itself. */
const bareChars = 4;

/** A statement that may be chosen. */
export interface Candidate {
  readonly number: number;
  readonly statement: StatementEvidence;
  /** All that it says, each once. */
  readonly names: readonly number[];
  /** Those that stand in it by themselves, not as a part of a longer one; of many, the weightiest. */
  readonly wholes: readonly number[];
  /** Every two of those. */
  readonly pairs: readonly number[];
  /** What it stands under: the file, the command or the message. */
  readonly head: string;
  /** What its names are multiplied by. */
  readonly factor: number;
  /** Those that stand next to it, before and behind. */
  readonly near: readonly number[];
}

/** The statements that may be chosen; neighbours in the transcript have neighbouring numbers. */
export interface Candidates {
  /** The best by their names alone, so many at most, the best first. */
  rank(most: number): readonly number[];
  /** One of them; most are never looked at. */
  read(number: number): Candidate;
  /** What it says; undefined beyond the last. */
  tell(number: number): StatementEvidence | undefined;
  /** Where it stands among all statements. */
  orderOf(number: number): number;
}

/** Of these statements those that name something. */
export function listCandidates(
  statements: readonly StatementEvidence[],
  names: NameWeights,
  pairs: NamePairs,
): Candidates {
  const told: StatementEvidence[] = [];
  const orders: number[] = [];
  const worths: number[] = [];
  const seen = new Int32Array(names.weights.length).fill(-1);
  for (const [at, statement] of statements.entries()) {
    const worth = weighAlone(statement, names, seen, at);
    if (worth === undefined) continue;
    told.push(statement);
    orders.push(at);
    worths.push(worth);
  }
  const read: (Candidate | undefined)[] = told.map(() => undefined);
  return {
    tell: (number) => told[number],
    orderOf: (number) => orders[number] ?? -1,
    rank: (most) => rankNumbers(Float64Array.from(worths), most),
    read(number) {
      const before = read[number];
      if (before !== undefined) return before;
      const candidate = readCandidate(told, number, names, pairs);
      read[number] = candidate;
      return candidate;
    },
  };
}

/** What a statement is worth by its names alone; undefined where it says none. `seen`: in which statement each name was last. */
function weighAlone(
  statement: StatementEvidence,
  { weights, listNumbers }: NameWeights,
  seen: Int32Array,
  at: number,
): number | undefined {
  const all = listNames(statement);
  if (isBareFile(statement, all)) return undefined;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < all.length; i++) {
    const numbers = listNumbers(all[i] as string);
    for (let j = 0; j < numbers.length; j++) {
      const number = numbers[j] as number;
      if (seen[number] === at) continue;
      seen[number] = at;
      sum += weights[number] as number;
      count++;
    }
  }
  return count === 0 ? undefined : (sum * roles[statement.source]) / (statement.text.length + besideChars);
}

/** A file by itself, as a listing shows it, is no statement: the index tells it for less. A folder by itself says nothing. */
const isBareFile = ({ text }: StatementEvidence, [name = '', other]: readonly string[]): boolean =>
  other === undefined &&
  name !== '' &&
  text.length <= name.length + bareChars &&
  (isFileName(name) || name.endsWith('/'));

/** The numbers of the worthiest, the best first; of equals the first. */
function rankNumbers(worths: Float64Array, most: number): readonly number[] {
  let { least, ties } = findLeast(worths, most);
  const ranked: number[] = [];
  for (let at = 0; at < worths.length; at++) {
    const worth = worths[at] as number;
    if (worth > least || (worth === least && ties-- > 0)) ranked.push(at);
  }
  return ranked.sort((a, b) => (worths[b] as number) - (worths[a] as number));
}

function readCandidate(
  told: readonly StatementEvidence[],
  number: number,
  { weights, listNumbers }: NameWeights,
  pairs: NamePairs,
): Candidate {
  const statement = told[number] as StatementEvidence;
  const names = new Set<number>();
  const wholes = new Set<number>();
  for (const name of listNames(statement)) {
    const numbers = listNumbers(name);
    for (const one of numbers) names.add(one);
    const [whole] = numbers;
    if (whole !== undefined) wholes.add(whole);
  }
  const weightiest = [...wholes].sort((a, b) => (weights[b] as number) - (weights[a] as number)).slice(0, mostPaired);
  return {
    number,
    statement,
    names: [...names],
    wholes: weightiest,
    pairs: listPairs(pairs, weightiest),
    head: statement.about === '' ? `#${statement.at}` : statement.about,
    factor: roles[statement.source],
    near: listNear(told, number),
  };
}

function listNear(told: readonly StatementEvidence[], number: number): readonly number[] {
  const near: number[] = [];
  const one = told[number] as StatementEvidence;
  for (const step of [-1, 1]) {
    for (let at = number + step, chars = 0; chars <= nearChars; at += step) {
      const other = told[at];
      if (other === undefined || other.at !== one.at || other.about !== one.about || other.source !== one.source) break;
      near.push(at);
      chars += other.text.length;
    }
  }
  return near;
}
