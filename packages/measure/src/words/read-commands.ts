import { type Json, type Message, toolKind } from '@palimpsest/core';

/** A command is the same but for its spacing. */
export const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

function commandIn(input: Json): string | undefined {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { readonly [key: string]: Json };
  const line = command ?? cmd;
  if (typeof line === 'string') return line;
  if (!Array.isArray(line) || !line.every((word) => typeof word === 'string')) return undefined;
  const words = line as readonly string[];
  // `["bash", "-lc", "make"]` is `make`.
  return /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ');
}

export interface Run {
  readonly callId: string;
  readonly command: string;
}

/** The command lines that a message of the model runs, in order. */
export function runsOf(message: Message): readonly Run[] {
  if (message.role !== 'assistant') return [];
  return message.parts.flatMap((part) => {
    if (part.type !== 'call' || toolKind(part.tool, part.input) !== 'shell') return [];
    const command = oneSpace(commandIn(part.input) ?? '');
    return command === '' ? [] : [{ callId: part.callId, command }];
  });
}

export const commandsOf = (message: Message): readonly string[] => runsOf(message).map((run) => run.command);
