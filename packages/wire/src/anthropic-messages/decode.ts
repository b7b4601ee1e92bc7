import type { Json } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';
import { limitsOf } from '../body/limits.ts';
import { nameMessages } from '../body/message-ids.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import type { Decoded } from '../wire.ts';
import { isBound } from './bound-thinking.ts';
import { type AnthropicBody, blocksIn, readMessages } from './read.ts';
import { MAX_BYTES, MAX_MESSAGES } from './validate.ts';

export function decode(given: AnthropicBody): Decoded {
  const body = makeWellFormed(given);
  const reads = readMessages(body);
  const boundary = reads.findLastIndex(({ source }) => source.blocks.some(isCompaction));
  const plain = body.thread === undefined || body.thread === null;
  return {
    messages: nameMessages(reads),
    system: blocksIn(body.system)
      .map((block) => asString(asFields(block).text) ?? '')
      .join('\n'),
    tools: asList(body.tools) as readonly Json[],
    ...(boundary < 0 ? {} : { boundary }),
    partial: asFields(body.thread).type === 'continue',
    rules: {
      reasoning: isBound(body) ? 'bound' : 'free',
      nativeEditing: plain && (body.compaction === undefined || body.compaction === null),
    },
    limits: limitsOf(MAX_BYTES, MAX_MESSAGES),
  };
}

/** Without content it stands for a compaction that failed, which the server ignores. */
const isCompaction = (block: unknown): boolean => {
  const { type, content, encrypted_content } = asFields(block);
  return type === 'compaction' && (typeof content === 'string' || typeof encrypted_content === 'string');
};
