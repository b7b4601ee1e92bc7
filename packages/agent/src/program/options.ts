import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { ModelChoice } from '../models/choose-model.ts';
import { PROVIDER_NAMES } from '../models/choose-model.ts';

export interface RunOptions extends ModelChoice {
  /** One-shot requests, in order. */
  readonly prompts: readonly string[];
  readonly json: boolean;
  /** True: the folder's newest; a string: that one. */
  readonly resume?: string | true;
  readonly allow: boolean;
  readonly skills?: string;
  readonly cwd?: string;
}

interface Raw extends ModelChoice {
  readonly prompt?: readonly string[];
  readonly json?: boolean;
  readonly resume?: string | true;
  readonly allow?: boolean;
  readonly skills?: string;
  readonly cwd?: string;
}

const tokens = (value: string): number => {
  const read = Number(value.replace(/[_,]/g, ''));
  if (Number.isInteger(read) && read > 0) return read;
  throw new InvalidArgumentError('It is a whole number of tokens, such as 200000.');
};

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Throws commander's own error where the words are not right, after it was printed. */
export function readOptions(
  words: readonly string[],
  print: (text: string) => void,
  complain: (text: string) => void,
): RunOptions {
  const command = new Command('palimpsest-agent')
    .description(
      'A small coding agent in the terminal that never forgets. With no key it runs on an embedded offline model.',
    )
    .version(version())
    .option(
      '-p, --prompt <text>',
      'answer this and end; can be given several times; "-" reads it from the input',
      (text, all: readonly string[] = []) => [...all, text],
    )
    .option('--json', 'with -p: print every event as one line of JSON')
    .option('--provider <name>', PROVIDER_NAMES.join(', '))
    .option('--model <name>', 'the model of that provider')
    .option('--base-url <url>', 'a server that speaks the format of the provider (openai-chat where none is named)')
    .option('--window <tokens>', 'the context window, where it is not known or should be smaller', tokens)
    .option('--resume [id]', "go on with a session: this one, or the folder's newest")
    .option('--allow', 'run commands and write outside the folder without asking')
    .option('--skills <dir>', 'where NAME/SKILL.md are (skills in the folder)')
    .option('--cwd <dir>', 'the folder to work in (this one)')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: complain });
  command.parse([...words], { from: 'user' });
  const { prompt = [], json = false, allow = false, ...rest } = command.opts<Raw>();
  return { prompts: prompt, json, allow, ...rest };
}

const HELP = `
Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY. Sessions: $PALIMPSEST_HOME/sessions (~/.palimpsest/sessions).
Without a terminal and without -p a sample conversation is played.
Exit codes: 0 done, 1 failed, 2 misused, 3 refused by the provider, 4 provider away, 5 disk, 130 interrupted, 141 pipe closed.`;
