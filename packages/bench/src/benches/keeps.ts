import type { Session } from '@palimpsest/measure';
import type { Bench } from '../bench.ts';
import { KEEPS_OPTIONS, loadWriters, readKeepsOptions } from '../keeps/options.ts';
import { scoreRecordedReuse } from '../keeps/recorded.ts';
import type { ScoreTable } from '../keeps/score-table.ts';
import { scorePlantedCanaries, scorePlantedFacts } from '../keeps/synthetic.ts';
import { readRecordings } from '../recordings.ts';

/** What a text that stands for the past keeps of what is needed later: the digest beside simpler texts of its size. */
export const keepsBench: Bench<readonly ScoreTable[]> = {
  name: 'keeps',
  takes: KEEPS_OPTIONS,
  async run(args, note) {
    const options = readKeepsOptions(args);
    const { folder, groups } = options;
    const writers = await loadWriters(options);
    const found: Session[] = [];
    if (folder !== undefined && groups.has('reuse'))
      for await (const { recording, project } of readRecordings({ folder }, note))
        found.push({ project, messages: recording.messages });
    return [
      ...(groups.has('reuse') ? scoreRecordedReuse(found, writers, options) : []),
      ...(groups.has('facts') ? [scorePlantedFacts(writers)] : []),
      ...(groups.has('canaries') ? scorePlantedCanaries(writers) : []),
    ];
  },
  print(tables, print) {
    print('Shares in %; in brackets the 95 % interval over projects, or over made-up sessions.');
    for (const table of tables) table.print(print);
    return true;
  },
};
