import { createSession, type Message } from '@palimpsest/core';
import {
  addReaches,
  findSurroundings,
  listWanted,
  measureReach,
  newCompactionMeter,
  type Reach,
  type Search,
} from '@palimpsest/measure';
import type { Bench, Print } from '../bench.ts';
import { formatPercent } from '../figures.ts';
import { newPlainSearch } from '../plain-search.ts';
import { CORPUS_OPTIONS, listSummaries, readCorpus, readRecordings } from '../recordings.ts';

type Rows = ReadonlyMap<string, readonly Reach[]>;

interface Seen {
  readonly summaries: number;
  /** Names that the agent used again; of these, those that a recorded summary no longer showed; of these, those that nothing had shown again. */
  readonly again: Rows;
  readonly hidden: Rows;
  readonly fromMemory: Rows;
}

/**
 * What the agent used after a recorded summary and had seen before it: how many recalls away is it? Asked for by the words around its
 * first use in what the agent wrote then, over all that had been said before.
 */
export const reachBench: Bench<Seen> = {
  name: 'reach',
  takes: CORPUS_OPTIONS,
  async run(args, note) {
    const [again, hidden, fromMemory] = [newRows(), newRows(), newRows()];
    let summaries = 0;
    for await (const { recording } of readRecordings(readCorpus('reach', args), note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const { left, after } = findSurroundings(recording, boundary);
        const [all, lost] = [meter.findLosses(boundary, []), meter.findLosses(boundary, left)];
        const said = recording.messages.slice(0, boundary.compaction.at);
        summaries++;
        for (const [row, search] of [
          ['recall.search', newOurSearch(said)],
          ['plain BM25', newPlainSearch(said)],
        ] as const) {
          again.add(row, measureReach(listWanted(all.identifiers.lost, after), search));
          hidden.add(row, measureReach(listWanted(lost.identifiers.lost, after), search));
          fromMemory.add(row, measureReach(listWanted(lost.fromMemory.lost, after), search));
        }
      }
    }
    return { summaries, again: again.rows, hidden: hidden.rows, fromMemory: fromMemory.rows };
  },
  print({ summaries, again, hidden, fromMemory }, print) {
    print(`After ${summaries} recorded summaries; a passage has at most 1,500 characters.`);
    for (const [rows, what] of [
      [again, 'names used again, in view or not'],
      [hidden, 'of them out of view'],
      [fromMemory, 'of these used before anything showed them again'],
    ] as const)
      printRows(rows, what, print);
    return summaries > 0;
  },
};

function newRows(): { readonly rows: Rows; add(row: string, reach: Reach): void } {
  const rows = new Map<string, Reach[]>();
  return {
    rows,
    add(row, reach) {
      const known = rows.get(row) ?? [];
      rows.set(row, known);
      known.push(reach);
    },
  };
}

function printRows(rows: Rows, what: string, print: Print): void {
  const [any] = rows.values();
  print('');
  print(`| ${addReaches(any ?? []).wanted} ${what} | R@1 | R@5 | R@10 |`);
  print('|---|---|---|---|');
  for (const [row, reaches] of rows) {
    const { wanted, first, five, ten } = addReaches(reaches);
    print(`| ${row} | ${[first, five, ten].map((found) => formatPercent(found / wanted)).join(' | ')} |`);
  }
}

/** Our own recall, as any host has it. */
function newOurSearch(said: readonly Message[]): Search {
  const session = createSession({ window: 200_000, layers: [], broken: 'mend' });
  for (const message of said) session.append(message);
  return (query, most) => session.recall.search(query, most).map(({ text }) => text);
}
