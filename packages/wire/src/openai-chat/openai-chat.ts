import { asFields, asList } from '@palimpsest/core/json';
import { readFailure } from '../failure/failure.ts';
import type { Failure, HeaderSource, Wire } from '../wire.ts';
import { encodeAlternating } from './alternate.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { CHAT, type ChatBody } from './read.ts';
import { usage } from './usage.ts';
import { validate, validateAlternating } from './validate.ts';

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

function failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined {
  const failed = readFailure(status, body, headers);
  if (failed !== undefined) return failed;
  const choice = asFields(asList(asFields(body).choices)[0]);
  if (choice.finish_reason !== 'model_context_window_exceeded') return undefined;
  return { type: 'overflow', message: 'the answer was cut off at the end of the context window' };
}

export type { ChatBody };
