import {
  cutSession,
  FRONTIER_PARTS,
  findReuse,
  findSessionBoilerplate,
  findSurroundings,
  holdsFrontier,
  REUSE_MEASURES,
  readFrontier,
  type Session,
  type SessionCut,
  scoreReuse,
  selectSessions,
} from '@palimpsest/measure';
import { formatNumber } from '../figures.ts';
import { type FoundRecording, listSummaries } from '../recordings.ts';
import type { KeepsOptions, Writers } from './options.ts';
import { newScoreTable, type ScoreTable } from './score-table.ts';

/** The cuts of the wanted sessions. Boilerplate is looked for in all projects, also when only some are scored. */
export function* listCuts(found: readonly Session[], { isWanted }: KeepsOptions): Generator<SessionCut> {
  const selected = selectSessions(found);
  const isBoilerplate = findSessionBoilerplate(selected);
  for (const session of selected) if (isWanted(session.project)) yield* cutSession(session, isBoilerplate);
}

/** What agents used again after cuts of their sessions. */
export function scoreRecordedReuse(
  cuts: readonly SessionCut[],
  { work }: Writers,
  { chars }: KeepsOptions,
): readonly ScoreTable[] {
  const tables = REUSE_MEASURES.map((measure) => [measure, newScoreTable(`${measure} used again`, 'cuts')] as const);
  const byMeasure = new Map(tables);
  for (const cut of cuts)
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

/** Where the work stood at the cuts: told by the text alone when nothing else is kept, and by text and tail together. */
export function scoreFrontiers(
  cuts: readonly SessionCut[],
  { all }: Writers,
  { chars }: KeepsOptions,
): readonly ScoreTable[] {
  const alone = newScoreTable('state of the work in the text alone, no tail', 'cuts');
  const withTail = newScoreTable('state of the work in text and tail', 'cuts');
  const add = (table: ScoreTable, row: string, project: string, held: Readonly<Record<string, boolean>>): void => {
    for (const part of FRONTIER_PARTS) if (part in held) table.add(row, part, project, Number(held[part]));
    table.add(row, 'all', project, Number(Object.values(held).every(Boolean)));
  };
  for (const { project, past, tail } of cuts) {
    const before = [...past, ...tail];
    const frontier = readFrontier(before);
    for (const size of chars)
      for (const [name, write] of Object.entries(all)) {
        const row = `${name}, ${formatNumber(size)}`;
        add(alone, row, project, holdsFrontier(frontier, write(before, [], size)));
        add(withTail, row, project, holdsFrontier(frontier, write(past, tail, size), tail));
      }
  }
  return [alone, withTail];
}

/** A summary of less says nothing of how room is used. */
const MIN_SUMMARY_CHARS = 400;

/** What agents used again after compactions of their own, in texts of the size of the vendor's summary; nothing else is kept. */
export function scoreCompactions(
  found: readonly FoundRecording[],
  { all }: Writers,
  { isWanted }: KeepsOptions,
): ScoreTable {
  const table = newScoreTable(
    "used again after recorded compactions, in the size of the vendor's summary",
    'compactions',
  );
  for (const { recording, project } of found.filter((one) => isWanted(one.project)))
    for (const boundary of listSummaries(recording)) {
      const { hidden, summary = '' } = boundary.compaction;
      const { before, after } = findSurroundings(recording, boundary);
      if (summary.length < MIN_SUMMARY_CHARS) continue;
      const gone = new Set(hidden);
      const past = before.filter(({ id }) => gone.has(id));
      const reuse = findReuse({ past, tail: [], future: after }, () => false);
      const add = (row: string, text: string): void => {
        for (const [measure, value] of Object.entries(scoreReuse(reuse, text))) table.add(row, measure, project, value);
      };
      add("vendor's summary", summary);
      for (const [row, write] of Object.entries(all)) add(row, write(past, [], summary.length));
    }
  return table;
}
