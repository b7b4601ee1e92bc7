import { compact, model, pin, undo } from './changing.ts';
import type { Command, CommandDesk } from './command.ts';
import { context, recall, receipt } from './looking.ts';
import { exportTranscript, resume } from './sessions.ts';

export const help: Command = {
  name: 'help',
  usage: '/help',
  help: 'this list',
  run(_, { paint, print }) {
    const widest = Math.max(...commands.map(({ usage }) => usage.length));
    for (const { usage, help: words } of commands) print([`  ${paint.cyan(usage.padEnd(widest))}  ${words}`]);
    print([
      paint.dim(
        '  ctrl-c stops the step at hand, twice ends · ctrl-o shows the last output · alt-enter begins a new line · ctrl-d ends',
      ),
    ]);
  },
};

export const commands: readonly Command[] = [
  compact,
  context,
  receipt,
  undo,
  recall,
  pin,
  model,
  resume,
  exportTranscript,
  help,
];

export interface Asked {
  readonly command: Command;
  readonly argument: string;
}

/** A line that begins with a slash and a word; undefined for anything else (paths begin with a slash too). */
export function commandIn(line: string): Asked | { readonly unknown: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (match === null) return undefined;
  const command = commands.find(({ name }) => name === match[1]);
  return command === undefined ? { unknown: match[1]! } : { command, argument: (match[2] ?? '').trim() };
}

export type { Command, CommandDesk };
