import { type PresetName, presets } from '@palimpsest/core';
import { newCompactionMeter } from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { type KeptTable, newKeptTable } from '../kept-table.ts';
import { listSummaries, readCorpus, readRecordings } from '../recordings.ts';

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

/** `palimpsest audit` of every recording, added up: what was kept at recorded summaries, theirs and ours at the same size. */
export const auditBench: Bench<Seen> = {
  name: 'audit',
  async run(args, note) {
    const table = newKeptTable();
    const options = { presets: Object.keys(presets) as PresetName[], signal: new AbortController().signal };
    let summaries = 0;
    for await (const { recording, project } of readRecordings(readCorpus('audit', args), note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const { losses, tokens, ours } = await meter.measure(boundary, options);
        summaries++;
        table.enter('the recording', { losses, project, size: 1 });
        for (const one of ours)
          table.enter(one.preset, { losses: one.losses, project, size: one.tokens / Math.max(1, tokens) });
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
