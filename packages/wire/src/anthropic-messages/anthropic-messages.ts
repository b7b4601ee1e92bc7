import { asFields } from '@palimpsest/core/json';
import { readFailure } from '../failure/failure.ts';
import type { Failure, HeaderSource, Wire } from '../wire.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { ANTHROPIC, type AnthropicBody } from './read.ts';
import { usage } from './usage.ts';
import { validate } from './validate.ts';

/** `POST /v1/messages`. */
export const anthropicMessages: Wire<AnthropicBody> = { name: ANTHROPIC, decode, encode, usage, failure, validate };

function failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined {
  const failed = readFailure(status, body, headers);
  if (failed !== undefined) return failed;
  const { stop_reason, delta } = asFields(body);
  const reason = stop_reason ?? asFields(delta).stop_reason;
  if (reason !== 'model_context_window_exceeded') return undefined;
  return { type: 'overflow', message: 'the answer was cut off at the end of the context window' };
}

export type { AnthropicBody };
