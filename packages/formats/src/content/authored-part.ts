import type { Message, MessageId, Origin, Part } from '@palimpsest/core';
import { omitUndefined } from '../fields.ts';
import { isHostText } from './host-text.ts';

/** A part and who wrote it: hosts put words of several authors into one message, the vocabulary has one author each. */
export interface AuthoredPart {
  readonly part: Part;
  readonly origin: Origin;
}

/** Of a part in a user message. */
export function findUserOrigin(part: Part): Origin {
  if (part.type === 'result') return 'tool';
  return part.type === 'text' && isHostText(part.text) ? 'harness' : 'human';
}

export const attributeParts = (parts: readonly Part[], origin?: Origin): readonly AuthoredPart[] =>
  parts.map((part) => ({ part, origin: origin ?? findUserOrigin(part) }));

/** One user message for each run of parts by one author. The first that is not the host's keeps the id. */
export function splitByAuthor(
  id: MessageId,
  authored: readonly AuthoredPart[],
  at: number | undefined,
): readonly Message[] {
  const runs: { readonly origin: Origin; readonly parts: Part[] }[] = [];
  for (const { part, origin } of authored) {
    const last = runs.at(-1);
    if (last?.origin === origin) last.parts.push(part);
    else runs.push({ origin, parts: [part] });
  }
  const bare = Math.max(
    0,
    runs.findIndex(({ origin }) => origin !== 'harness'),
  );
  return runs.map(({ origin, parts }, index) => ({
    id: index === bare ? id : `${id}/${index + 1}`,
    role: 'user',
    origin,
    parts,
    ...omitUndefined({ at }),
  }));
}
