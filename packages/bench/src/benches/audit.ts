import { type PresetName, presets } from '@palimpsest/core';
import { type Kept, newCompactionMeter } from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { type KeptTable, newKeptTable } from '../kept-table.ts';
import { CORPUS_OPTIONS, listSummaries, readCorpus, readRecordings } from '../recordings.ts';

interface Seen {
  readonly summaries: number;
  readonly table: KeptTable;
}

const COLUMNS = {
  identifiers: 'names',
  relations: 'relations',
  files: 'files',
  commands: 'commands',
  editLines: 'edit lines',
  rules: "the user's rules",
  words: "the user's words",
} as const;

/** Beside each preset its view with a summary by a stand-in, at the same size, and what code keeps by itself in the room that it leaves. */
const WITH_SUMMARIES = '--summaries';

/** `palimpsest audit` of every recording, added up: what was kept at recorded summaries, theirs and ours at the same size. */
export const auditBench: Bench<Seen> = {
  name: 'audit',
  takes: [...CORPUS_OPTIONS, WITH_SUMMARIES.slice(2)],
  async run(args, note) {
    const corpus = readCorpus(
      'audit',
      args.filter((arg) => arg !== WITH_SUMMARIES),
    );
    const table = newKeptTable();
    const options = { presets: Object.keys(presets) as PresetName[], signal: new AbortController().signal };
    let summaries = 0;
    for await (const { recording, project } of readRecordings(corpus, note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const { losses, tokens, ours } = await meter.measure(boundary, options);
        summaries++;
        const enter = (row: string, kept: Kept): void =>
          table.enter(row, { losses: kept.losses, project, size: kept.tokens / Math.max(1, tokens) });
        table.enter('the recording', { losses, project, size: 1 });
        for (const one of ours) enter(one.preset, one);
        if (!args.includes(WITH_SUMMARIES)) continue;
        for (const one of await meter.measureSummary(boundary, options)) {
          enter(`${one.preset}, with a summary`, one.withSummary);
          enter(`${one.preset}, in the room beside it`, one.besideIt);
        }
      }
    }
    return { summaries, table };
  },
  print({ summaries, table }, print) {
    print(`${summaries} recorded summaries; of what was needed afterwards, what was in view right after each.`);
    table.print(COLUMNS, print);
    return summaries > 0;
  },
};
