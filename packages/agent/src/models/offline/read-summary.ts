import type { Message } from '@palimpsest/core';

const partsOf = ({ origin, parts }: Message): readonly string[] =>
  origin === 'palimpsest' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [];

/** The file that was read last before a summary, by the state of the work that code wrote into it. Summaries of earlier versions name no message. */
export const findLastRead = (message: Message): string | undefined =>
  /^## State\n(?:(?!## ).*\n)*?Last call(?: #\d+)?: read_file (\S+)/m.exec(partsOf(message).join('\n'))?.[1];

export interface QuotedText {
  /** The message that it comes from. */
  readonly id: string;
  readonly words: string;
}

/** Presets that fold what users write quote it in a part of the summary; with the others the messages themselves are in the view. */
export function readQuotedUser(message: Message): readonly QuotedText[] {
  const quoted = partsOf(message).find((part) => part.startsWith('## User (quoted)\n')) ?? '';
  return [...quoted.matchAll(/^(\S*):\n((?:> .*(?:\n|$))+)/gm)].map(([, id = '', lines = '']) => ({
    id,
    words: lines.replace(/^> /gm, '').trim(),
  }));
}
