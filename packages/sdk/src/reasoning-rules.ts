import type { WireRules } from '@palimpsest/core';
import { anthropicMessages } from '@palimpsest/wire';

/** Where the wire is hidden behind an SDK, the model's name tells what its vendor demands of replayed reasoning. */
export function reasoningRules(model: string): WireRules {
  const isOpenAi = /(?:^|\/)(?:gpt|o\d|codex)/i.test(model);
  const { reasoning } = anthropicMessages.decode({ model, messages: [] }).rules;
  return { reasoning: reasoning === 'free' && isOpenAi ? 'with-next' : reasoning, nativeEditing: false };
}
