import type { Usage } from '@palimpsest/core';
import { asFields, asNumber } from '@palimpsest/core/json';
import type { Reported } from '../wire.ts';

/** Reads a response, a compaction or a stream's last event. Cached tokens are part of `input_tokens`. */
export function usage(response: unknown): Reported {
  const top = asFields(response);
  const reported = asFields(top.usage ?? asFields(top.response).usage);
  const details = asFields(reported.input_tokens_details);
  const input = asNumber(reported.input_tokens);
  const output = asNumber(reported.output_tokens);
  const cacheRead = asNumber(details.cached_tokens);
  const cacheWrite = asNumber(details.cache_write_tokens);
  const read: Usage = {
    ...(input === undefined ? {} : { input: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return { usage: read, appliedEdits: [] };
}
