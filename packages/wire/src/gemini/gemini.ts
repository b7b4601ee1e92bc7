import type { Json, Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, asString } from '@palimpsest/core/json';
import { limitsOf } from '../body/limits.ts';
import { named } from '../body/message-ids.ts';
import { failureOf } from '../failure/failure.ts';
import type { Decoded, Reported, Wire } from '../wire.ts';
import { GEMINI, type GeminiBody } from './body.ts';
import { encode } from './encode.ts';
import { readContents } from './read.ts';
import { MAX_BYTES, validate } from './validate.ts';

/** `models/…:generateContent` and its streaming twin. */
export const gemini: Wire<GeminiBody> = { name: GEMINI, decode, encode, usage, failure: failureOf, validate };

function decode(body: GeminiBody): Decoded {
  return {
    messages: named(readContents(body)),
    system: instructionText(body.systemInstruction ?? body.system_instruction),
    tools: asList(body.tools) as readonly Json[],
    partial: (body.cachedContent ?? body.cached_content ?? null) !== null,
    rules: { reasoning: 'free', nativeEditing: false },
    limits: limitsOf(MAX_BYTES),
  };
}

function instructionText(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction;
  const fields = asFields(instruction);
  const parts = Array.isArray(instruction) ? instruction : fields.parts === undefined ? [fields] : asList(fields.parts);
  return parts.map((part) => asString(asFields(part).text) ?? '').join('\n');
}

/** Reads a response or a chunk. Cached tokens are part of the prompt's; thoughts are billed as output. */
function usage(response: unknown): Reported {
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

export type { GeminiBody };
