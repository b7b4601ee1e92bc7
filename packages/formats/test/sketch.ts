import { readFileSync } from 'node:fs';
import type { Message, Part } from '@palimpsest/core';
import { type Recording, readSession } from '../src/index.ts';

export const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

export const readFixture = (name: string): Recording => readSession(fixture(name));

const short = (words: string): string => words.replaceAll('\n', '⏎');

function partSketch(part: Part): string {
  switch (part.type) {
    case 'text':
      return short(part.text);
    case 'reasoning':
      return `(${short(part.text)}${part.signature === undefined ? '' : ` §${part.signature}`})`;
    case 'call':
      return `→${part.callId} ${part.tool} ${JSON.stringify(part.input)}${part.signature === undefined ? '' : ` §${part.signature}`}`;
    case 'result':
      return `←${part.callId}${part.isError === true ? '!' : ''} ${part.content.map(partSketch).join(' + ')}`;
    case 'media':
      return `<${part.mediaType} ${part.data ?? part.url}>`;
    case 'native':
      return `{${part.wire} ${JSON.stringify(part.block)}}`;
  }
}

/** One line a message: id, who wrote it, what it says. */
export const sketch = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => {
    const who =
      message.role === 'assistant' && message.origin !== 'model' ? `${message.origin} as assistant` : message.origin;
    return `${message.id} ${who}: ${message.parts.map(partSketch).join(' | ')}`;
  });
