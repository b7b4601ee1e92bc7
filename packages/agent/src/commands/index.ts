import { wrap } from '@palimpsest/terminal';
import { compact, model, pin, preset, undo } from './changing.ts';
import type { Command, CommandDesk } from './command.ts';
import { cost } from './cost.ts';
import { context, mode, permissions, pins, recall, receipt } from './looking.ts';
import { mcp } from './servers.ts';
import { clear, exportTranscript, handoff, newSession, resume } from './sessions.ts';
import { shell } from './shell.ts';
import { summary } from './summary.ts';

const KEYS =
  'esc or ctrl-c stops the step at hand; ctrl-c twice, or ctrl-d, ends · esc twice goes back to something you said · ctrl-r searches what you typed, up and down bring it back · alt-enter, shift-enter or \\ and Enter begins a new line · @ completes a file, / a command, Tab takes it · !COMMAND runs it in the shell, !! without telling the model · ctrl-o shows the last output in full';

export const help: Command = {
  name: 'help',
  usage: '/help',
  help: 'this list',
  run(_, { paint, print, columns }) {
    const widest = Math.max(...commands.map(({ usage }) => usage.length));
    const indent = ' '.repeat(widest + 4);
    const rows = commands.flatMap(({ usage, help: words }) => {
      const [first = '', ...more] = wrap(words, columns - indent.length);
      return [`  ${paint.cyan(usage.padEnd(widest))}  ${first}`, ...more.map((line) => `${indent}${line}`)];
    });
    print([...rows, '', ...wrap(KEYS, columns - 2).map((line) => paint.dim(`  ${line}`))]);
  },
};

export const commands: readonly Command[] = [
  compact,
  context,
  cost,
  receipt,
  summary,
  undo,
  recall,
  pin,
  pins,
  model,
  preset,
  mode,
  permissions,
  mcp,
  resume,
  newSession,
  clear,
  exportTranscript,
  handoff,
  help,
];

export interface Asked {
  readonly command: Command;
  readonly argument: string;
}

/** What a person types at the prompt: a command of theirs for the shell, or one of ours. Requests from elsewhere run no shell. */
export const typedCommandIn = (line: string): ReturnType<typeof commandIn> =>
  line.startsWith('!') && line.length > 1 ? { command: shell, argument: line.slice(1) } : commandIn(line);

/** A line that begins with a slash and a word; undefined for anything else (paths begin with a slash too). */
export function commandIn(line: string): Asked | { readonly unknown: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (match === null) return undefined;
  const command = commands.find(({ name }) => name === match[1]);
  return command === undefined ? { unknown: match[1]! } : { command, argument: (match[2] ?? '').trim() };
}

export type { Command, CommandDesk };
