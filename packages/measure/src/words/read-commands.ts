import { type Json, type Message, toolKind } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';

/** A command is the same but for its spacing. */
export const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

function findCommand(input: Json): string | undefined {
  if (typeof input === 'string') return input;
  const { command, cmd } = asFields(input);
  const line = command ?? cmd;
  if (!Array.isArray(line)) return asString(line);
  if (!line.every((word): word is string => typeof word === 'string')) return undefined;
  // `["bash", "-lc", "make"]` is `make`.
  return /^-\w*c$/.test(line[1] ?? '') ? line[2] : line.join(' ');
}

export interface Run {
  readonly callId: string;
  readonly command: string;
}

/** The command lines that a message of the model runs, in order. */
export function readRuns(message: Message): readonly Run[] {
  if (message.role !== 'assistant') return [];
  return message.parts.flatMap((part) => {
    if (part.type !== 'call' || toolKind(part.tool, part.input) !== 'shell') return [];
    const command = collapseSpace(findCommand(part.input) ?? '');
    return command === '' ? [] : [{ callId: part.callId, command }];
  });
}

export const readCommands = (message: Message): readonly string[] => readRuns(message).map((run) => run.command);
