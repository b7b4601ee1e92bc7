import { drawMeanInterval, type Interval } from '../held/interval.ts';

export interface Score {
  /** The mean over projects of the mean over their cuts; not a number without any. */
  readonly mean: number;
  readonly interval?: Interval;
}

/** Scores of texts, averaged over the cuts of a project and then over projects. */
export interface ScoreSheet {
  add(key: string, project: string, value: number): void;
  read(key: string): Score;
  /** How many projects and how many values a score is made of. */
  count(key: string): { readonly projects: number; readonly values: number };
}

const averageOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

export function newScoreSheet(): ScoreSheet {
  const scores = new Map<string, Map<string, number[]>>();
  const listValues = (key: string): readonly (readonly number[])[] => [...(scores.get(key)?.values() ?? [])];
  return {
    add(key, project, value) {
      const byProject = scores.get(key) ?? new Map<string, number[]>();
      scores.set(key, byProject.set(project, [...(byProject.get(project) ?? []), value]));
    },
    read(key) {
      const means = listValues(key).map(averageOf);
      const interval = drawMeanInterval(means);
      return { mean: averageOf(means), ...(interval === undefined ? {} : { interval }) };
    },
    count: (key) => ({ projects: listValues(key).length, values: listValues(key).flat().length }),
  };
}
