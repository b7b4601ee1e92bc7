import type { Bench } from '../bench.ts';
import { scoreEvidenceTurns } from '../keeps/dialogues.ts';
import { KEEPS_OPTIONS, loadWriters, readKeepsOptions } from '../keeps/options.ts';
import { listCuts, scoreCompactions, scoreFrontiers, scoreRecordedReuse } from '../keeps/recorded.ts';
import type { ScoreTable } from '../keeps/score-table.ts';
import { scorePlantedCanaries, scorePlantedFacts } from '../keeps/synthetic.ts';
import { type FoundRecording, readRecordings } from '../recordings.ts';

/** What a text that stands for the past keeps of what is needed later: the digest beside simpler texts of its size. */
export const keepsBench: Bench<readonly ScoreTable[]> = {
  name: 'keeps',
  takes: KEEPS_OPTIONS,
  async run(args, note) {
    const options = readKeepsOptions(args);
    const { folder, groups } = options;
    const writers = await loadWriters(options);
    const found: FoundRecording[] = [];
    if (folder !== undefined) for await (const one of readRecordings({ folder }, note)) found.push(one);
    const sessions = found.map(({ recording, project }) => ({ project, messages: recording.messages }));
    const cuts = [...listCuts(sessions, options)];
    return [
      ...(groups.has('reuse') ? scoreRecordedReuse(cuts, writers, options) : []),
      ...(groups.has('frontier') ? scoreFrontiers(cuts, writers, options) : []),
      ...(groups.has('compactions') ? [scoreCompactions(found, writers, options)] : []),
      ...(groups.has('facts') ? [scorePlantedFacts(writers)] : []),
      ...(groups.has('canaries') ? scorePlantedCanaries(writers) : []),
      ...(groups.has('dialogues') ? await scoreEvidenceTurns(writers, options) : []),
    ];
  },
  print(tables, print) {
    print('Shares in %; in brackets the 95 % interval over projects, or over made-up sessions.');
    for (const table of tables) table.print(print);
    return true;
  },
};
