import { type Json, type Message, toolKind } from '@palimpsest/core';

/** A command is the same but for its spacing. */
export const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

const FENCED = /```(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*\n([\s\S]*?)\n?```/g;

function commandIn(input: Json): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { readonly [key: string]: Json };
  const line = command ?? cmd;
  if (typeof line === 'string') return line;
  if (!Array.isArray(line) || !line.every((word) => typeof word === 'string')) return undefined;
  const words = line as readonly string[];
  return /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ');
}

/** The command lines that a message of the model runs, in order. Some agents write theirs as the one fenced block of a text. */
export function commandsOf(message: Message): readonly string[] {
  if (message.role !== 'assistant') return [];
  const calls = message.parts.flatMap((part) =>
    part.type === 'call' && toolKind(part.tool, part.input) === 'shell' ? (commandIn(part.input) ?? []) : [],
  );
  const isSilent = !message.parts.some((part) => part.type === 'call');
  const written = isSilent ? message.parts.flatMap((part) => (part.type === 'text' ? fencedIn(part.text) : [])) : [];
  return [...calls, ...written].map(oneSpace).filter((command) => command !== '');
}

function fencedIn(text: string): readonly string[] {
  const blocks = text.includes('```') ? [...text.matchAll(FENCED)] : [];
  return blocks.length === 1 ? [blocks[0]![1]!] : [];
}
