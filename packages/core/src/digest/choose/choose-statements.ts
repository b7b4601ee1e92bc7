import type { Evidence, FileEvidence, StatementEvidence } from '../evidence/evidence.ts';
import { findValues, writeBinding } from '../evidence/find-values.ts';
import { scanIdentifiers } from '../evidence/scan-identifiers.ts';
import { listNames } from '../evidence/statement-names.ts';
import type { Beside } from './beside.ts';
import { listTold } from './find-root.ts';
import { newHeap, popBest, pushOne } from './heap.ts';
import { listPairsBetween, type NamePairs, newNamePairs, weighPairs } from './name-pairs.ts';
import { findNearNames, type NearNames } from './near-names.ts';
import { besideChars, type Candidate, type Candidates, listCandidates } from './statement-candidates.ts';
import { type NameWeights, weighNames } from './weigh-names.ts';

/** So many, the best by their names alone, are weighed against each other. */
const mostWeighed = 4_000;
/** What the head over a file's lines costs. */
const headChars = 20;
/** After so many in a row for which there was no room, there is none. */
const mostMissed = 60;

/** Chooses statements by what they add. */
export interface StatementChooser {
  /** Offers one after the other, the best first, behind a text that says `before`, with its number in the transcript's order; `take` says whether there was room. */
  choose(before: string, take: TakeStatement): void;
  /** Where one stands among all statements. */
  orderOf(number: number): number;
  /** The names that stood near these. */
  findNear(numbers: readonly number[]): NearNames;
}

type TakeStatement = (statement: StatementEvidence, number: number) => boolean;

/**
 * The best statement is the one whose names, and whose pairs of names, are worth most for its length, as far as they do not
 * stand in the text yet, or beside it. Next to one that was taken a line is worth more: names of both stand together then.
 */
export function newStatementChooser(evidence: Evidence, beside: Beside): StatementChooser {
  const names = weighNames(evidence);
  const pairs = newNamePairs(names.weights);
  const candidates = listCandidates(evidence.statements ?? [], names, pairs);
  const ranked = candidates.rank(mostWeighed);
  weighPairs(
    pairs,
    ranked.map((number) => candidates.read(number).pairs),
  );
  const told = findToldPairs(beside, names, pairs);
  const byHead = groupByHead(ranked, candidates);
  return {
    orderOf: candidates.orderOf,
    findNear: (numbers) => findNearNames(numbers, candidates.tell),
    choose(before, take) {
      const said = [...beside.names, ...listSaid(before, evidence.files)];
      const course = newCourse(said, candidates, names, pairs, told);
      const worths = Float64Array.from(ranked, (number) => course.weigh(candidates.read(number)));
      const heap = newHeap(ranked, worths);
      const isTold = (statement: StatementEvidence): boolean =>
        before.includes(statement.text) || beside.text.includes(statement.text) || isAmongValues(statement, before);
      let missed = 0;
      /** Tries the best one; answers whether there may be another. */
      const tryBest = (): boolean => {
        const number = popBest(heap);
        if (number < 0 || missed >= mostMissed) return false;
        const best = candidates.read(number);
        if (course.isTaken(best)) return true;
        // What a statement adds falls with every other that is taken, so it is weighed again when its turn comes.
        const worth = course.weigh(best);
        if (worth < heap.worth) {
          if (worth > 0) pushOne(heap, number, worth);
          return true;
        }
        if (worth <= 0) return false;
        if (isTold(best.statement)) {
          course.take(best);
          return true;
        }
        if (!take(best.statement, number)) {
          missed++;
          return true;
        }
        const isFirst = course.isFirst(best);
        course.take(best);
        // Under a head that stands there already a line costs less, and next to one that was taken it adds more.
        for (const other of isFirst ? (byHead.get(best.head) ?? []) : best.near) {
          const near = candidates.read(other);
          if (!course.isTaken(near)) pushOne(heap, other, course.weigh(near));
        }
        return true;
      };
      while (tryBest());
    },
  };
}

/** Whether a line says no more than a value with its name, and a text tells that: `LIMIT=766390`. */
function isAmongValues(statement: StatementEvidence, text: string): boolean {
  const values = findValues(statement);
  if (values.length === 0) return false;
  const isSaid = (name: string): boolean => values.some((one) => one.name === name || one.value === name);
  return (
    listNames(statement).every(isSaid) &&
    values.every(({ name, value }) => name !== '' && text.includes(writeBinding(name, value)))
  );
}

function groupByHead(ranked: readonly number[], candidates: Candidates): ReadonlyMap<string, readonly number[]> {
  const byHead = new Map<string, number[]>();
  for (const number of ranked) {
    const { head } = candidates.read(number);
    const group = byHead.get(head);
    if (group === undefined) byHead.set(head, [number]);
    else group.push(number);
  }
  return byHead;
}

/** The pairs of names that stand together beside the digest. */
function findToldPairs(beside: Beside, { listNumbers }: NameWeights, pairs: NamePairs): readonly number[] {
  const told: number[] = [];
  beside.visitPairs((one, other) => {
    told.push(...listPairsBetween(pairs, listNumbers(one), listNumbers(other)));
  });
  return told;
}

/** One choice in the making: what the text says so far. */
interface Course {
  isTaken(one: Candidate): boolean;
  /** Nothing stands under its head yet. */
  isFirst(one: Candidate): boolean;
  /** What it adds for its length. */
  weigh(one: Candidate): number;
  take(one: Candidate): void;
}

/** The identifiers that a text says, and the files that it tells by folder and name. */
function listSaid(text: string, files: readonly FileEvidence[]): readonly string[] {
  const said = new Set<string>();
  scanIdentifiers(text, (name) => said.add(name));
  return [...said, ...listTold(files, said)];
}

function newCourse(
  said: readonly string[],
  candidates: Candidates,
  { weights, listNumbers }: NameWeights,
  pairs: NamePairs,
  told: readonly number[],
): Course {
  const covered = new Uint8Array(weights.length);
  /** By the numbers of pairs; one that has none yet is not said. */
  let isSaid = new Uint8Array(2 * pairs.worths.length);
  const taken = new Set<number>();
  const heads = new Set<string>();
  const sayPairs = (list: readonly number[]): void => {
    if (pairs.worths.length > isSaid.length) isSaid = growTwice(isSaid, pairs.worths.length);
    for (const pair of list) isSaid[pair] = 1;
  };
  for (const name of said) for (const number of listNumbers(name)) covered[number] = 1;
  sayPairs(told);
  /** The pairs that it makes with one next to it. */
  const pairWith = (one: Candidate, near: number): readonly number[] =>
    listPairsBetween(pairs, one.wholes, candidates.read(near).wholes);
  return {
    isTaken: (one) => taken.has(one.number),
    isFirst: (one) => !heads.has(one.head),
    weigh(one) {
      let sum = addWorths(0, one.names, covered, weights);
      sum = addWorths(sum, one.pairs, isSaid, pairs.worths);
      const hasHead = heads.has(one.head);
      if (hasHead)
        for (const near of one.near)
          if (taken.has(near)) sum = addWorths(sum, pairWith(one, near), isSaid, pairs.worths);
      return (sum * one.factor) / (one.statement.text.length + besideChars + (hasHead ? 0 : headChars));
    },
    take(one) {
      taken.add(one.number);
      heads.add(one.head);
      for (const name of one.names) covered[name] = 1;
      sayPairs(one.pairs);
      for (const near of one.near) if (taken.has(near)) sayPairs(pairWith(one, near));
    },
  };
}

function growTwice(before: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(2 * least);
  grown.set(before);
  return grown;
}

/** A sum, and what those are worth that were not said yet. */
function addWorths(before: number, numbers: readonly number[], isSaid: Uint8Array, worths: readonly number[]): number {
  let sum = before;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (isSaid[number] !== 1) sum += worths[number] as number;
  }
  return sum;
}
