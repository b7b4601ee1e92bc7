import type { Message, Part } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';

/** A summary that its provider encrypted: the model can read it and nobody else, so what it holds is not known. */
const isSealedPart = (part: Part): boolean => {
  if (part.type !== 'native') return false;
  const { type, encrypted_content } = asFields(part.block);
  return (asString(type) ?? '').startsWith('compaction') && asString(encrypted_content) !== undefined;
};

export const hasSealedSummary = (view: readonly Message[]): boolean =>
  view.some((message) => message.parts.some(isSealedPart));
