import type { Usage } from '@palimpsest/core';
import { asFields, asNumber } from '@palimpsest/core/json';
import type { Reported } from '../wire.ts';

/** Reads a response or a chunk. Cached tokens are part of the prompt's; thoughts are billed as output. */
export function usage(response: unknown): Reported {
  const reported = asFields(asFields(response).usageMetadata);
  const prompt = asNumber(reported.promptTokenCount);
  const cacheRead = asNumber(reported.cachedContentTokenCount);
  const written = [reported.candidatesTokenCount, reported.thoughtsTokenCount].map(asNumber);
  const input = (prompt ?? 0) + (asNumber(reported.toolUsePromptTokenCount) ?? 0) - (cacheRead ?? 0);
  const read: Usage = {
    ...(prompt === undefined ? {} : { input: Math.max(0, input) }),
    ...(written.every((one) => one === undefined)
      ? {}
      : { output: written.reduce<number>((sum, one) => sum + (one ?? 0), 0) }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
  };
  return { usage: read, appliedEdits: [] };
}
