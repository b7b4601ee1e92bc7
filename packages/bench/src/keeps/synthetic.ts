import { plantFacts, scoreFacts } from '@palimpsest/measure';
import type { Writers } from './options.ts';
import { newScoreTable, type ScoreTable } from './score-table.ts';

/** Made-up sessions; other seeds give other ones. */
const SEEDS = [11, 12, 13, 14, 15] as const;
const FILES = 70;
const CHARS_PER_FILE = 80;

/** Facts of files that were read once, in a text of 80 characters a file. */
export function scorePlantedFacts({ all }: Writers): ScoreTable {
  const table = newScoreTable(`facts planted in ${FILES} files, ${CHARS_PER_FILE} characters a file`, 'sessions');
  for (const seed of SEEDS) {
    const { messages, facts } = plantFacts({ files: FILES, seed });
    for (const [row, write] of Object.entries(all)) {
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
