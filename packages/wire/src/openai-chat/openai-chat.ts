import type { Json, Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, asString } from '@palimpsest/core/json';
import { limitsOf } from '../body/limits.ts';
import { named } from '../body/message-ids.ts';
import { failureOf } from '../failure/failure.ts';
import type { Decoded, Failure, HeaderSource, Reported, Wire } from '../wire.ts';
import { encodeAlternating } from './alternate.ts';
import { encode } from './encode.ts';
import { CHAT, type ChatBody, readMessages } from './read.ts';
import { MAX_BYTES, MAX_MESSAGES, validate, validateAlternating } from './validate.ts';

/** `POST /chat/completions`, of OpenAI and the many that speak its format. */
export const openaiChat: Wire<ChatBody> = { name: CHAT, decode, encode, usage, failure, validate };

/** The same for servers whose chat template wants user and assistant strictly in turn. */
export const openaiChatAlternating: Wire<ChatBody> = {
  name: CHAT,
  decode,
  encode: encodeAlternating,
  usage,
  failure,
  validate: validateAlternating,
};

function decode(body: ChatBody): Decoded {
  const { lead, reads } = readMessages(body);
  return {
    messages: named(reads),
    system: body.messages
      .slice(0, lead)
      .map((message) => contentText(asFields(message).content))
      .join('\n'),
    tools: [...asList(body.tools), ...asList(body.functions)] as readonly Json[],
    partial: false,
    rules: { reasoning: 'free', nativeEditing: false },
    limits: limitsOf(MAX_BYTES, MAX_MESSAGES),
  };
}

const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asList(content)
        .map((piece) => asString(asFields(piece).text) ?? '')
        .join('\n');

/** Reads a completion or a chunk. Cached tokens are part of `prompt_tokens`; DeepSeek names them at the top. */
function usage(response: unknown): Reported {
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

function failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined {
  const failed = failureOf(status, body, headers);
  if (failed !== undefined) return failed;
  const choice = asFields(asList(asFields(body).choices)[0]);
  if (choice.finish_reason !== 'model_context_window_exceeded') return undefined;
  return { type: 'overflow', message: 'the answer was cut off at the end of the context window' };
}

export type { ChatBody };
