import { type PresetName, presets } from '@palimpsest/core';
import { newCompactionMeter } from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { type KeptTable, newKeptTable } from '../kept-table.ts';
import { listSummaries, readRecordings, readSessionsFolder } from '../recordings.ts';

interface Seen {
  readonly summaries: number;
  readonly table: KeptTable;
}

const COLUMNS = {
  identifiers: 'identifiers',
  fromMemory: 'first from memory',
  files: 'files',
  commands: 'commands',
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
    for await (const recording of readRecordings(readSessionsFolder('audit', args), note)) {
      const meter = newCompactionMeter(recording);
      for (const boundary of listSummaries(recording)) {
        const { losses, ours } = await meter.measure(boundary, options);
        summaries++;
        table.enter('the recording', losses);
        for (const one of ours) table.enter(one.preset, one.losses);
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
