import type { WireRules } from '@palimpsest/core';
import { isBound } from '../anthropic-messages/bound-thinking.ts';

/** Where the wire is hidden behind an SDK, the model's name tells what its vendor demands of replayed reasoning. */
export function reasoningRules(model: string): WireRules {
  const isOpenAi = /(?:^|\/)(?:gpt|o\d|codex)/i.test(model);
  const reasoning = isBound({ model, messages: [] }) ? 'bound' : isOpenAi ? 'with-next' : 'free';
  return { reasoning, nativeEditing: false };
}
