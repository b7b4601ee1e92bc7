import type { RunOptions } from '@palimpsest/agent';
import { chooseOne, openWriter } from '@palimpsest/terminal';
import { systemClock } from '@palimpsest/wire';
import { processStreams, type Terminal } from '../terminal.ts';
import { watchSample } from './watch-sample.ts';

/** What `npm start` can begin with. */
type Start = { readonly name: string; readonly about: string; readonly options: RunOptions | 'sample' };

const PRACTICE: Start = {
  name: 'try the agent in a small prepared shop',
  about:
    'The embedded offline model, no key: within a minute you have seen a compaction, its receipt, a recall and an undo.',
  options: { practice: true },
};
const SAMPLE: Start = {
  name: 'watch a sample',
  about: "A coding agent's day through every layer, with the gauge moving; space pauses it.",
  options: 'sample',
};

/** `npm start` in a terminal: asks what to begin with, and answers with the exit code when that is over. */
export async function chooseStart(terminal: Terminal): Promise<number> {
  const { chooseModel, runAgent } = await import('@palimpsest/agent');
  const { environment } = terminal;
  const model = chooseModel({}, { environment, clock: systemClock });
  const here: Start = {
    name: `work in this folder on ${model.name}`,
    about: model.isLanguageModel
      ? `A key for it is set. The folder is ${terminal.cwd}.`
      : `The embedded offline model, in ${terminal.cwd}. With ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY set, a language model takes its place.`,
    options: {},
  };
  // Whoever has set a key wants to work.
  const starts = model.isLanguageModel ? [here, PRACTICE, SAMPLE] : [PRACTICE, SAMPLE, here];
  const { stdin, stdout } = processStreams();
  const out = openWriter(stdout, environment);
  out.print(`${out.paint.bold('Palimpsest')} keeps an agent's conversation inside its window, and loses nothing.`);
  out.print();
  for (;;) {
    const chosen = await chooseOne({ question: 'How do you want to begin?', choices: starts, stdin, stdout, out });
    const start = chosen === undefined ? undefined : starts[chosen];
    if (start === undefined) return 0;
    out.print();
    if (start.options !== 'sample') return runAgent(start.options);
    await watchSample(terminal);
    out.print();
  }
}
