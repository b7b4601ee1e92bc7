import type { Json } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';
import { IMPLICIT_CACHE } from '../body/implicit-cache.ts';
import { limitsOf } from '../body/limits.ts';
import { nameMessages } from '../body/message-ids.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import type { Decoded } from '../wire.ts';
import type { GeminiBody } from './body.ts';
import { readContents } from './read.ts';
import { MAX_BYTES } from './validate.ts';

export function decode(given: GeminiBody): Decoded {
  const body = makeWellFormed(given);
  return {
    messages: nameMessages(readContents(body)),
    system: instructionText(body.systemInstruction ?? body.system_instruction),
    tools: asList(body.tools) as readonly Json[],
    partial: (body.cachedContent ?? body.cached_content ?? null) !== null,
    rules: { reasoning: 'free', nativeEditing: false, prices: IMPLICIT_CACHE },
    limits: limitsOf(MAX_BYTES),
  };
}

function instructionText(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction;
  const fields = asFields(instruction);
  const parts = Array.isArray(instruction) ? instruction : fields.parts === undefined ? [fields] : asList(fields.parts);
  return parts.map((part) => asString(asFields(part).text) ?? '').join('\n');
}
