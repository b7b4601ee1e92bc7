import type { Limits } from '@palimpsest/core';

/** Of a provider's limit so much is for the messages; system prompt, tools and what an encoding adds need the rest. */
const SHARE = 0.95;

export const limitsOf = (maxBytes: number, maxMessages?: number): Limits => ({
  bytes: Math.floor(maxBytes * SHARE),
  ...(maxMessages === undefined ? {} : { messages: Math.floor(maxMessages * SHARE) }),
});
