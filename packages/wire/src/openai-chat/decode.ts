import type { Json } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';
import { IMPLICIT_CACHE } from '../body/implicit-cache.ts';
import { limitsOf } from '../body/limits.ts';
import { nameMessages } from '../body/message-ids.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import type { Decoded } from '../wire.ts';
import { type ChatBody, readMessages } from './read.ts';
import { MAX_BYTES, MAX_MESSAGES } from './validate.ts';

export function decode(given: ChatBody): Decoded {
  const body = makeWellFormed(given);
  const { lead, reads } = readMessages(body);
  return {
    messages: nameMessages(reads),
    system: body.messages
      .slice(0, lead)
      .map((message) => contentText(asFields(message).content))
      .join('\n'),
    tools: [...asList(body.tools), ...asList(body.functions)] as readonly Json[],
    partial: false,
    rules: { reasoning: 'free', nativeEditing: false, prices: IMPLICIT_CACHE },
    limits: limitsOf(MAX_BYTES, MAX_MESSAGES),
  };
}

const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asList(content)
        .map((piece) => asString(asFields(piece).text) ?? '')
        .join('\n');
