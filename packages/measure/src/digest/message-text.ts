import type { Json, Message, Part } from '@palimpsest/core';

const readValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What a part shows: words, the values of a call's input, the text of a result. Reasoning and media show none. */
export function readPart(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'result')
    return part.content.map((content) => (content.type === 'text' ? content.text : '')).join('\n');
  if (part.type !== 'call') return '';
  const { input } = part;
  if (typeof input === 'string') return input;
  return Object.values((input ?? {}) as Readonly<Record<string, Json>>)
    .map(readValue)
    .join('\n');
}

export const readMessage = (message: Message): string => message.parts.map(readPart).join('\n');

export const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A part with its text and author; a result counts as the tool's. */
export interface Source {
  readonly author: 'user' | 'assistant' | 'call' | 'tool';
  readonly text: string;
}

/** The parts of messages in order. */
export const listSources = (messages: readonly Message[]): readonly Source[] =>
  messages.flatMap(({ role, parts }) =>
    parts.map((part) => ({
      author: part.type === 'call' ? 'call' : part.type === 'result' ? 'tool' : role,
      text: readPart(part),
    })),
  );
