import type { Evidence, StatementEvidence, StatementSource } from '../evidence/evidence.ts';
import { scanIdentifiers } from '../evidence/scan-identifiers.ts';
import { listNames } from '../evidence/statement-names.ts';
import { newHeap } from './heap.ts';
import { freshness } from './item.ts';
import { weighNames } from './weigh-names.ts';

/** The model's own words sum up, what it wrote into calls it acted on; results are raw. */
const roles: Readonly<Record<StatementSource, number>> = { typed: 1.3, said: 2, called: 1.6, shown: 1 };

/** So many, the best by their names alone, are weighed against each other. */
const mostWeighed = 3_000;
/** What a line costs besides its text, in characters: its break, and its part of what stands above it. */
const besideChars = 12;
/** Two names that stand together are worth this part of the lesser, in one line and in neighbouring ones. */
const pairPart = 0.7;
/** Of a line with more names, the weightiest make pairs. */
const mostPaired = 8;
/** After so many in a row for which there was no room, there is none. */
const mostMissed = 60;

interface Candidate {
  /** Neighbours in the transcript have neighbouring numbers. */
  readonly number: number;
  readonly statement: StatementEvidence;
  /** Each once; where they are many, the weightiest first. */
  readonly names: readonly number[];
  /** What its names are multiplied by. */
  readonly factor: number;
  /** At first that of its names alone. */
  readonly worth: number;
}

/** Told of two names that stand together, by a key of their own, and what the lesser weighs. */
type VisitPair = (key: number, lesser: number) => void;

/** Chooses statements by what they add. */
export interface StatementChooser {
  /** Offers one after the other, the best first, behind a text that says `before`, with its number in the transcript's order; `take` says whether there was room. */
  choose(before: string, take: (statement: StatementEvidence, number: number) => boolean): void;
}

/**
 * The best statement is the one whose names, and whose pairs of names, are worth most for its length, as far as they do not
 * stand in the text yet. Next to one that was taken a line is worth more: names of both stand together then.
 */
export function newStatementChooser(evidence: Evidence): StatementChooser {
  const { weights, listNumbers } = weighNames(evidence);
  const weightOf = (name: number): number => weights[name] ?? 0;
  const candidates = listCandidates(evidence, listNumbers, weightOf);
  const keyOf = (one: number, other: number): number =>
    one < other ? one * weights.length + other : other * weights.length + one;

  const listNear = (one: Candidate): readonly Candidate[] =>
    [candidates[one.number - 1], candidates[one.number + 1]].flatMap((other) =>
      other !== undefined && isTogether(one.statement, other.statement) ? [other] : [],
    );

  const newCourse = (before: string) => {
    const covered = new Uint8Array(weights.length);
    const pairs = new Set<number>();
    const taken = new Set<number>();
    scanIdentifiers(before, (name) => {
      for (const number of listNumbers(name)) covered[number] = 1;
    });
    const visitNear = (one: Candidate, other: Candidate, visit: VisitPair): void => {
      const [last, otherLast] = [Math.min(one.names.length, mostPaired), Math.min(other.names.length, mostPaired)];
      for (let i = 0; i < last; i++)
        for (let j = one === other ? i + 1 : 0; j < otherLast; j++) {
          const [name, near] = [one.names[i] ?? 0, other.names[j] ?? 0];
          if (name !== near) visit(keyOf(name, near), Math.min(weightOf(name), weightOf(near)));
        }
    };
    const visitPairs = (one: Candidate, visit: VisitPair): void => {
      visitNear(one, one, visit);
      if (taken.size > 0) for (const near of listNear(one)) if (taken.has(near.number)) visitNear(one, near, visit);
    };
    return {
      isTaken: (one: Candidate): boolean => taken.has(one.number),
      weigh(one: Candidate): number {
        let sum = 0;
        for (const name of one.names) if (covered[name] === 0) sum += weightOf(name);
        visitPairs(one, (key, lesser) => {
          if (!pairs.has(key)) sum += pairPart * lesser;
        });
        return (sum * one.factor) / (one.statement.text.length + besideChars);
      },
      take(one: Candidate): void {
        taken.add(one.number);
        for (const name of one.names) covered[name] = 1;
        visitPairs(one, (key) => pairs.add(key));
      },
    };
  };

  const ranked = [...candidates].sort((a, b) => b.worth - a.worth).slice(0, mostWeighed);

  return {
    choose(before, take) {
      const course = newCourse(before);
      const heap = newHeap(ranked.map((one) => ({ ...one, worth: course.weigh(one) })));
      let missed = 0;
      for (let best = heap.pop(); best !== undefined && missed < mostMissed; best = heap.pop()) {
        if (course.isTaken(best)) continue;
        // What a statement adds falls with every other that is taken, so it is weighed again when its turn comes.
        const worth = course.weigh(best);
        if (worth < best.worth) {
          if (worth > 0) heap.push({ ...best, worth });
          continue;
        }
        if (worth <= 0) break;
        if (before.includes(best.statement.text)) {
          course.take(best);
          continue;
        }
        if (!take(best.statement, best.number)) {
          missed++;
          continue;
        }
        course.take(best);
        for (const near of listNear(best)) if (!course.isTaken(near)) heap.push({ ...near, worth: course.weigh(near) });
      }
    },
  };
}

const isTogether = (one: StatementEvidence, other: StatementEvidence): boolean =>
  one.at === other.at && one.about === other.about && one.source === other.source;

function listCandidates(
  evidence: Evidence,
  listNumbers: (name: string) => readonly number[],
  weightOf: (name: number) => number,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const statement of evidence.statements ?? []) {
    const names: number[] = [];
    let sum = 0;
    for (const name of listNames(statement))
      for (const number of listNumbers(name)) {
        if (names.includes(number)) continue;
        names.push(number);
        sum += weightOf(number);
      }
    if (names.length === 0) continue;
    if (names.length > mostPaired) names.sort((a, b) => weightOf(b) - weightOf(a));
    const factor = roles[statement.source] * (1 + freshness(statement.at, evidence));
    const worth = (sum * factor) / (statement.text.length + besideChars);
    candidates.push({ number: candidates.length, statement, names, factor, worth });
  }
  return candidates;
}
