import {
  cutSession,
  findSessionBoilerplate,
  REUSE_MEASURES,
  type Session,
  scoreReuse,
  selectSessions,
} from '@palimpsest/measure';
import { formatNumber } from '../figures.ts';
import type { KeepsOptions, Writers } from './options.ts';
import { newScoreTable, type ScoreTable } from './score-table.ts';

/** What agents used again after cuts of their sessions. */
export function scoreRecordedReuse(
  found: readonly Session[],
  { work }: Writers,
  { chars, isWanted }: KeepsOptions,
): readonly ScoreTable[] {
  const tables = REUSE_MEASURES.map((measure) => [measure, newScoreTable(`${measure} used again`, 'cuts')] as const);
  const byMeasure = new Map(tables);
  const selected = selectSessions(found);
  // Boilerplate is looked for in all projects, also when only some are scored.
  const isBoilerplate = findSessionBoilerplate(selected);
  for (const session of selected.filter(({ project }) => isWanted(project)))
    for (const cut of cutSession(session, isBoilerplate))
      for (const size of chars)
        for (const [row, write] of Object.entries(work)) {
          const scores = scoreReuse(cut.reuse, write(cut.past, cut.tail, size));
          for (const measure of REUSE_MEASURES) {
            const value = scores[measure];
            if (value !== undefined) byMeasure.get(measure)?.add(row, formatNumber(size), cut.project, value);
          }
        }
  return [...byMeasure.values()];
}
