import {
  cutSession,
  findSessionBoilerplate,
  REUSE_MEASURES,
  type Session,
  scoreReuse,
  selectSessions,
} from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { formatNumber } from '../figures.ts';
import { KEEPS_OPTIONS, loadWriters, readKeepsOptions } from '../keeps/options.ts';
import { newScoreTable, type ScoreTable } from '../keeps/score-table.ts';
import { scorePlantedFacts } from '../keeps/synthetic.ts';
import { readRecordings } from '../recordings.ts';

interface Seen {
  readonly sessions: number;
  readonly tables: readonly ScoreTable[];
}

/** What a text that stands for the past keeps of what the agent used later: the digest beside simpler texts of its size. */
export const keepsBench: Bench<Seen> = {
  name: 'keeps',
  takes: KEEPS_OPTIONS,
  async run(args, note) {
    const options = readKeepsOptions(args);
    const writers = await loadWriters(options);
    const found: Session[] = [];
    for await (const { recording, project } of readRecordings(options, note))
      found.push({ project, messages: recording.messages });
    const selected = selectSessions(found);
    // Boilerplate is looked for in all projects, also when only some are scored.
    const isBoilerplate = findSessionBoilerplate(selected);
    const sessions = selected.filter(({ project }) => options.isWanted(project));
    const reuse = Object.fromEntries(
      REUSE_MEASURES.map((measure) => [measure, newScoreTable(`${measure} used again`, 'cuts')] as const),
    );
    for (const session of sessions)
      for (const cut of cutSession(session, isBoilerplate))
        for (const chars of options.chars)
          for (const [row, write] of Object.entries(writers.all))
            for (const [measure, value] of Object.entries(scoreReuse(cut.reuse, write(cut.past, cut.tail, chars))))
              reuse[measure]?.add(row, formatNumber(chars), cut.project, value);
    return { sessions: sessions.length, tables: [...Object.values(reuse), scorePlantedFacts(writers)] };
  },
  print({ sessions, tables }, print) {
    print(`${sessions} recordings; in brackets the 95 % interval over projects.`);
    for (const table of tables) table.print(print);
    return true;
  },
};
