import type { Message } from '@palimpsest/core';

const partsOf = ({ origin, parts }: Message): readonly string[] =>
  origin === 'palimpsest' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [];

/** The file that was read last before a summary, by the state of the work that code wrote into it. */
export const findLastRead = (message: Message): string | undefined =>
  /^## State\nLast call: read_file (\S+)/m.exec(partsOf(message).join('\n'))?.[1];

/** Presets that fold what users write quote it in a part of the summary; with the others the messages themselves are in the view. */
export function readQuotedUser(message: Message): readonly string[] {
  const quoted = partsOf(message).find((part) => part.startsWith('## User (quoted)\n')) ?? '';
  return [...quoted.matchAll(/(?:^> .*(?:\n|$))+/gm)].map(([lines]) => lines.replace(/^> /gm, '').trim());
}
