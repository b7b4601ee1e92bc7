import { createSession, type Message, partText } from '@palimpsest/core';
import {
  addReaches,
  findSurroundings,
  listWanted,
  measureReach,
  newCompactionMeter,
  PASSAGE_CHARS,
  type Reach,
  type Search,
} from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { formatPercent } from '../figures.ts';
import { newPlainSearch } from '../plain-search.ts';
import { listSummaries, readCorpus, readRecordings } from '../recordings.ts';

interface Seen {
  readonly summaries: number;
  readonly rows: ReadonlyMap<string, readonly Reach[]>;
}

/**
 * What a recorded summary no longer showed and the agent then used from memory: how many recalls away is it? Asked for by
 * the words around it in what the agent wrote, over all that had been said.
 */
export const reachBench: Bench<Seen> = {
  name: 'reach',
  async run(args, note) {
    const rows = new Map<string, Reach[]>();
    let summaries = 0;
    for await (const { recording } of readRecordings(readCorpus('reach', args), note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const { left, after } = findSurroundings(recording, boundary);
        const wanted = listWanted(meter.findLosses(boundary, left).fromMemory.lost, after);
        const said = recording.messages.slice(0, boundary.compaction.at);
        summaries++;
        for (const [row, search] of Object.entries({
          'recall.search': newOurSearch(said),
          'plain BM25': newPlainSearch(said),
        })) {
          const known = rows.get(row) ?? [];
          rows.set(row, known);
          known.push(measureReach(wanted, search));
        }
      }
    }
    return { summaries, rows };
  },
  print({ summaries, rows }, print) {
    const [any] = rows.values();
    print(`${addReaches(any ?? []).wanted} names out of view after ${summaries} recorded summaries.`);
    print('');
    print('| | R@1 | R@5 | R@10 |');
    print('|---|---|---|---|');
    for (const [row, reaches] of rows) {
      const { wanted, first, five, ten } = addReaches(reaches);
      print(`| ${row} | ${[first, five, ten].map((found) => formatPercent(found / wanted)).join(' | ')} |`);
    }
    return summaries > 0;
  },
};

/** Our own recall: the passage is what stands around the line that it found. */
function newOurSearch(said: readonly Message[]): Search {
  const session = createSession({ window: 200_000, layers: [], broken: 'mend' });
  for (const message of said) session.append(message);
  return (query, most) =>
    session.recall.search(query, most).map(({ message, line }) => {
      const text = message.parts.map(partText).join('\n');
      const start = Math.max(0, text.indexOf(line) - PASSAGE_CHARS / 3);
      return text.slice(start, start + PASSAGE_CHARS);
    });
}
