import { type Message, partText } from '../src/index.ts';

export const long = (words: string, times = 200): string => `${words} `.repeat(times).trim();

/** All that messages say, line by line. */
export const textOf = (messages: readonly Message[]): string =>
  messages.map((message) => message.parts.map(partText).join('\n')).join('\n');
