import type { Usage } from '@palimpsest/core';
import { asFields, asNumber } from '@palimpsest/core/json';
import type { Reported } from '../wire.ts';

/** Reads a completion or a chunk. Cached tokens are part of `prompt_tokens`; DeepSeek names them at the top. */
export function usage(response: unknown): Reported {
  const reported = asFields(asFields(response).usage);
  const details = asFields(reported.prompt_tokens_details);
  const prompt = asNumber(reported.prompt_tokens);
  const cacheRead = asNumber(details.cached_tokens) ?? asNumber(reported.prompt_cache_hit_tokens);
  const cacheWrite = asNumber(details.cache_write_tokens);
  const output = asNumber(reported.completion_tokens);
  const read: Usage = {
    ...(prompt === undefined ? {} : { input: Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return { usage: read, appliedEdits: [] };
}
