import { newRandom } from '../random.ts';
import { addShares, fractionOf, type Share } from './share.ts';

/** Between which shares 95 of 100 draws of as many projects lie. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const DRAWS = 1_000;
const TAIL = 0.025;
const SEED = 0x9e3779b9;

/** Draws whole projects again and again, since sessions of one are alike. Undefined with less than two. */
function drawAgain<One>(known: readonly One[], measure: (drawn: readonly One[]) => number): Interval | undefined {
  if (known.length < 2) return undefined;
  const roll = newRandom(SEED);
  const draw = (): One => known[Math.floor(roll() * known.length)] as One;
  const drawn = Array.from({ length: DRAWS }, () => measure(known.map(draw))).sort((a, b) => a - b);
  const at = (place: number): number => drawn[Math.min(DRAWS - 1, Math.floor(place * DRAWS))] ?? Number.NaN;
  return { low: at(TAIL), high: at(1 - TAIL) };
}

/** How far the share might lie elsewhere with other projects. */
export const drawInterval = (byProject: readonly Share[]): Interval | undefined =>
  drawAgain(
    byProject.filter(({ needed }) => needed > 0),
    (drawn) => fractionOf(addShares(drawn)),
  );

/** The same for a mean over projects. */
export const drawMeanInterval = (byProject: readonly number[]): Interval | undefined =>
  drawAgain(byProject, (drawn) => drawn.reduce((sum, one) => sum + one, 0) / drawn.length);
