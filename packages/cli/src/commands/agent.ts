import type { RunOptions } from '@palimpsest/agent';
import { Command } from 'commander';
import { PRESETS, parseTokens } from '../options/shared-options.ts';
import { playSample } from '../sample/play-sample.ts';
import { chooseStart } from '../start/choose-start.ts';
import { isAtTerminal, type Terminal } from '../terminal.ts';

interface AgentFlags extends Omit<RunOptions, 'prompts'> {
  readonly prompt?: readonly string[];
}

/** The agent is a library, loaded when it is asked for: the other commands start without it. */
export const agentCommand = (terminal: Terminal, onEnd: (exitCode: number) => void): Command =>
  new Command('agent')
    .summary('the terminal agent; needs no key')
    .description('a small coding agent in the terminal that never forgets; without a key, on an embedded offline model')
    .option(
      '-p, --prompt <text>',
      'answer this and end; can be given several times; "-" reads it from the input',
      (text, all: readonly string[] = []) => [...all, text],
    )
    .option('--json', 'with -p: print every event as one line of JSON')
    .option('--provider <name>', 'offline, anthropic, openai-responses, openai-chat, gemini')
    .option('--model <name>', 'the model of that provider')
    .option('--base-url <url>', 'a server that speaks the format of the provider (openai-chat where none is named)')
    .option('--window <tokens>', 'the context window, where it is not known or should be smaller', parseTokens)
    .option('--preset <name>', `how the conversation is kept within its window: ${PRESETS.join(', ')}`)
    .option('--summary-model <name>', 'who writes the summaries (NAME, or NAME@WINDOW); by default the model itself')
    .option('--resume [id]', "go on with a session: this one, or the folder's newest")
    .option('--allow', 'run commands and write outside the folder without asking')
    .option('--skills <dir>', 'where NAME/SKILL.md are (skills in the folder)')
    .option('--cwd <dir>', 'the folder to work in (this one)')
    .addHelpText('after', HELP)
    .action(async (flags: AgentFlags) => {
      if (isAtTerminal() && isFirstStart(terminal, flags)) onEnd(await chooseStart(terminal));
      else if (isAtTerminal() || Object.keys(flags).length > 0) onEnd(await runAgent(flags));
      else {
        await playSample(terminal);
        terminal.print('In a terminal you can talk to an agent: npm start, or palimpsest agent.');
      }
    });

/** `npm start` and not a word more: somebody who may not know yet what there is. */
const isFirstStart = ({ environment }: Terminal, flags: AgentFlags): boolean =>
  environment.npm_lifecycle_event === 'start' && Object.keys(flags).length === 0;

async function runAgent({ prompt = [], ...options }: AgentFlags): Promise<number> {
  const agent = await import('@palimpsest/agent');
  return agent.runAgent({ ...options, prompts: prompt });
}

const HELP = `
Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY. Sessions: $PALIMPSEST_HOME/sessions (~/.palimpsest/sessions).
Without a terminal and without options the sample is played.
Exit codes: 0 done, 1 failed, 2 misused, 3 refused by the provider, 4 provider away, 5 disk, 130 interrupted, 141 pipe closed.

Example:
  palimpsest agent -p "read README.md"`;
