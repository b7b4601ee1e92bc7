import { CANARY_AUTHORS, plantCanaries, plantFacts, readMessage, scoreCanaries, scoreFacts } from '@palimpsest/measure';
import type { Writers } from './options.ts';
import { newScoreTable, type ScoreTable } from './score-table.ts';

/** Made-up sessions; other seeds give other ones. */
export const SEEDS = [11, 12, 13, 14, 15] as const;
const FILES = 70;
const CHARS_PER_FILE = 80;
const CANARY_SHARES = [0.2, 0.3] as const;

/** Facts of files that were read once, in a text of 80 characters a file. */
export function scorePlantedFacts({ work }: Writers): ScoreTable {
  const table = newScoreTable(`facts planted in ${FILES} files, ${CHARS_PER_FILE} characters a file`, 'sessions');
  for (const seed of SEEDS) {
    const { messages, facts } = plantFacts({ files: FILES, seed });
    for (const [row, write] of Object.entries(work)) {
      const text = write(messages, [], FILES * CHARS_PER_FILE);
      table.add(row, 'all', `seed ${seed}`, scoreFacts(facts, text));
      for (const readBy of ['tool', 'shell'] as const) {
        const some = facts.filter((fact) => fact.readBy === readBy);
        table.add(row, `read by ${readBy}`, `seed ${seed}`, scoreFacts(some, text));
      }
    }
  }
  return table;
}

/** Rules, constraints, facts, goals and preferences, at a share of the transcript's characters; the user's words count. */
export function scorePlantedCanaries({ all }: Writers): readonly ScoreTable[] {
  const kept = newScoreTable('typed canaries kept', 'sessions');
  const stale = newScoreTable('replaced values shown as current (less is better)', 'sessions');
  for (const seed of SEEDS) {
    const { messages, canaries } = plantCanaries(seed);
    const chars = messages.reduce((sum, message) => sum + readMessage(message).length, 0);
    const project = `seed ${seed}`;
    for (const [row, write] of Object.entries(all))
      for (const share of CANARY_SHARES) {
        const text = write(messages, [], Math.round(share * chars));
        const column = `${100 * share} %`;
        const score = scoreCanaries(canaries, text);
        kept.add(row, column, project, score.kept);
        stale.add(row, column, project, score.stale);
        stale.add(row, `${column}, the current one nowhere`, project, score.onlyOld);
        for (const by of CANARY_AUTHORS) {
          const own = scoreCanaries(
            canaries.filter(({ author }) => author === by),
            text,
          );
          kept.add(row, `${column}, by ${by}`, project, own.kept);
          stale.add(row, `${column}, by ${by}`, project, own.stale);
        }
      }
  }
  return [kept, stale];
}
