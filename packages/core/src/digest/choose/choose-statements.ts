import { newStride, type Steps } from '../../steps.ts';
import type { Evidence, FileEvidence, StatementEvidence, StatementSource } from '../evidence/evidence.ts';
import { scanIdentifiers } from '../evidence/scan-identifiers.ts';
import { isFileName, listNames } from '../evidence/statement-names.ts';
import type { Beside } from './beside.ts';
import { listTold } from './find-root.ts';
import { newHeap } from './heap.ts';
import { countPairs, keyOfPair, type PairCounts, type VisitPair, visitPairs } from './name-pairs.ts';
import { type NameWeights, weighNames } from './weigh-names.ts';

/** What the user typed counts most; the model's own words sum up, what it wrote into calls it acted on; results are raw. */
const roles: Readonly<Record<StatementSource, number>> = { typed: 1.6, said: 1.4, called: 1.25, shown: 1 };

/** So many, the best by their names alone, are weighed against each other. */
const mostWeighed = 4_000;
/** What a line costs besides its text, in characters: its break, and its part of what stands above it. */
const besideChars = 3;
/** What the head over a file's lines costs. */
const headChars = 20;
/** Two names that stand together are worth this part of the lesser, in one line and in neighbouring ones; more where they often do. */
const pairPart = 0.5;
const pairExponent = 0.5;
/** Lines with less between them are neighbours. */
const nearChars = 60;
/** Of a line with more names, the weightiest make pairs. */
const mostPaired = 8;
/** With no more than this around it a file stands by itself. */
const bareChars = 4;
/** After so many in a row for which there was no room, there is none. */
const mostMissed = 60;

interface Candidate {
  /** Neighbours in the transcript have neighbouring numbers. */
  readonly number: number;
  readonly statement: StatementEvidence;
  /** All that it says, each once. */
  readonly names: readonly number[];
  /** Those that stand in it by themselves, not as a part of a longer one; of many, the weightiest. */
  readonly wholes: readonly number[];
  /** What it stands under: the file, the command or the message. */
  readonly head: string;
  /** What its names are multiplied by. */
  readonly factor: number;
  /** At first that of its names alone. */
  readonly worth: number;
}

/** Chooses statements by what they add. */
export interface StatementChooser {
  /** Offers one after the other, the best first, behind a text that says `before`, with its number in the transcript's order; `take` says whether there was room. */
  choose(before: string, take: (statement: StatementEvidence, number: number) => boolean): Steps<void>;
}

/**
 * The best statement is the one whose names, and whose pairs of names, are worth most for its length, as far as they do not
 * stand in the text yet, or beside it. Next to one that was taken a line is worth more: names of both stand together then.
 */
export function* newStatementChooser(evidence: Evidence, beside: Beside): Steps<StatementChooser> {
  const names = weighNames(evidence);
  const told = findToldPairs(beside, names);
  yield;
  const candidates = yield* listCandidates(evidence, names);
  const ranked = [...candidates].sort((a, b) => b.worth - a.worth).slice(0, mostWeighed);
  yield;
  const counts = yield* countPairs(
    ranked.map((one) => one.wholes),
    names.weights.length,
  );
  const byHead = new Map<string, Candidate[]>();
  for (const one of ranked) {
    const group = byHead.get(one.head);
    if (group === undefined) byHead.set(one.head, [one]);
    else group.push(one);
  }
  return {
    *choose(before, take) {
      const said = [...beside.names, ...listSaid(before, evidence.files)];
      const course = newCourse(said, candidates, names, counts, told);
      const isStop = newStride(32);
      const weighed: Candidate[] = [];
      for (const one of ranked) {
        weighed.push({ ...one, worth: course.weigh(one) });
        if (isStop()) yield;
      }
      const heap = newHeap(weighed);
      let missed = 0;
      for (let best = heap.pop(); best !== undefined && missed < mostMissed; best = heap.pop()) {
        if (isStop()) yield;
        if (course.isTaken(best)) continue;
        // What a statement adds falls with every other that is taken, so it is weighed again when its turn comes.
        const worth = course.weigh(best);
        if (worth < best.worth) {
          if (worth > 0) heap.push({ ...best, worth });
          continue;
        }
        if (worth <= 0) break;
        if (before.includes(best.statement.text) || beside.text.includes(best.statement.text)) {
          course.take(best);
          continue;
        }
        if (!take(best.statement, best.number)) {
          missed++;
          continue;
        }
        const isFirst = course.isFirst(best);
        course.take(best);
        // Under a head that stands there already a line costs less, and next to one that was taken it adds more.
        for (const near of isFirst ? (byHead.get(best.head) ?? []) : listNear(candidates, best))
          if (!course.isTaken(near)) heap.push({ ...near, worth: course.weigh(near) });
      }
    },
  };
}

/** The pairs of names that stand together beside the digest. */
function findToldPairs(beside: Beside, { weights, listNumbers }: NameWeights): ReadonlySet<number> {
  const told = new Set<number>();
  beside.visitPairs((one, other) =>
    visitPairs(listNumbers(one), listNumbers(other), (name, near) => {
      told.add(keyOfPair(name, near, weights.length));
    }),
  );
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
  candidates: readonly Candidate[],
  names: NameWeights,
  counts: PairCounts,
  told: ReadonlySet<number>,
): Course {
  const { weights, listNumbers } = names;
  const weightOf = (name: number): number => weights[name] ?? 0;
  const covered = new Uint8Array(weights.length);
  const pairs = new Set(told);
  const taken = new Set<number>();
  const heads = new Set<string>();
  for (const name of said) for (const number of listNumbers(name)) covered[number] = 1;
  const visitAdded = (one: Candidate, visit: VisitPair): void => {
    visitPairs(one.wholes, one.wholes, visit);
    if (heads.has(one.head))
      for (const near of listNear(candidates, one))
        if (taken.has(near.number)) visitPairs(one.wholes, near.wholes, visit);
  };
  const worthOfPair = (key: number, one: number, other: number): number =>
    pairPart * Math.min(weightOf(one), weightOf(other)) * (counts.get(key) ?? 1) ** pairExponent;
  return {
    isTaken: (one) => taken.has(one.number),
    isFirst: (one) => !heads.has(one.head),
    weigh(one) {
      let sum = 0;
      for (const name of one.names) if (covered[name] === 0) sum += weightOf(name);
      visitAdded(one, (name, other) => {
        const key = keyOfPair(name, other, weights.length);
        if (!pairs.has(key)) sum += worthOfPair(key, name, other);
      });
      return (sum * one.factor) / (one.statement.text.length + besideChars + (heads.has(one.head) ? 0 : headChars));
    },
    take(one) {
      taken.add(one.number);
      heads.add(one.head);
      for (const name of one.names) covered[name] = 1;
      visitAdded(one, (name, other) => pairs.add(keyOfPair(name, other, weights.length)));
    },
  };
}

const listNear = (candidates: readonly Candidate[], one: Candidate): readonly Candidate[] => [
  ...walkNear(candidates, one, -1),
  ...walkNear(candidates, one, 1),
];

function* walkNear(candidates: readonly Candidate[], one: Candidate, step: 1 | -1): Generator<Candidate> {
  let chars = 0;
  for (let at = one.number + step; chars <= nearChars; at += step) {
    const other = candidates[at];
    if (other === undefined || !isTogether(one.statement, other.statement)) return;
    yield other;
    chars += other.statement.text.length;
  }
}

const isTogether = (one: StatementEvidence, other: StatementEvidence): boolean =>
  one.at === other.at && one.about === other.about && one.source === other.source;

function* listCandidates(evidence: Evidence, { weights, listNumbers }: NameWeights): Steps<readonly Candidate[]> {
  const weightOf = (name: number): number => weights[name] ?? 0;
  const candidates: Candidate[] = [];
  const isStop = newStride(64);
  for (const statement of evidence.statements ?? []) {
    if (isStop()) yield;
    const names = new Set<number>();
    const wholes = new Set<number>();
    const all = listNames(statement);
    // A file by itself, as a listing shows it, is no statement: the index tells it for less.
    if (all.length === 1 && isFileName(all[0] ?? '') && statement.text.length <= (all[0]?.length ?? 0) + bareChars)
      continue;
    for (const name of all) {
      for (const number of listNumbers(name)) names.add(number);
      const [whole] = listNumbers(name);
      if (whole !== undefined) wholes.add(whole);
    }
    if (names.size === 0) continue;
    let sum = 0;
    for (const name of names) sum += weightOf(name);
    const factor = roles[statement.source];
    const weightiest = [...wholes].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, mostPaired);
    candidates.push({
      number: candidates.length,
      statement,
      names: [...names],
      wholes: weightiest,
      head: statement.about === '' ? `#${statement.at}` : statement.about,
      factor,
      worth: (sum * factor) / (statement.text.length + besideChars),
    });
  }
  return candidates;
}
