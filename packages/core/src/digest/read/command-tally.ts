import { cutHead } from '../../text.ts';
import type { CommandEvidence, Outcome } from '../evidence/evidence.ts';

/** A command is run again if it is the same but for its spacing. */
const normalizeSpaces = (command: string): string => command.replace(/\s+/g, ' ').trim();

/** A longer one carries a document in it and is not typed again as it is. */
const longest = 2_000;

/** Adds commands up: one entry each, with how often it ran and how it went last. */
export function newCommandTally(previous: readonly CommandEvidence[]): {
  addRun(command: string, outcome: Outcome, exitCode: number | undefined, at: number): void;
  toEvidence(): readonly CommandEvidence[];
} {
  const commands = new Map(previous.map((one) => [normalizeSpaces(one.command), one]));
  return {
    addRun(command, outcome, exitCode, at) {
      const short = cutHead(command, longest);
      const key = normalizeSpaces(short);
      const runs = (commands.get(key)?.runs ?? 0) + 1;
      commands.delete(key);
      const entry = { command: short, runs, outcome, at };
      commands.set(key, exitCode === undefined ? entry : { ...entry, exitCode });
    },
    toEvidence: () => [...commands.values()],
  };
}

/** A fenced block of any language: one that is not looked for ends before the next begins, too. */
const fence = /```([^\n`]*)\n([\s\S]*?)\n?```/g;
const shell = /^(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*$/;

/** The command of an agent that writes its commands as text: the one fenced block of a message without calls that is in no other language. */
export function readFencedCommand(text: string): string | undefined {
  if (!text.includes('```')) return undefined;
  const [block, ...others] = [...text.matchAll(fence)].filter(([, language = '']) => shell.test(language));
  const command = others.length > 0 ? undefined : block?.[2]?.trim();
  return command === '' ? undefined : command;
}
