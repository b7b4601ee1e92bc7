import type { Json, Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, asString } from '@palimpsest/core/json';
import { limitsOf } from '../body/limits.ts';
import { named } from '../body/message-ids.ts';
import { failureOf } from '../failure/failure.ts';
import type { Decoded, Reported, Wire } from '../wire.ts';
import { isPartial, RESPONSES, type ResponsesBody } from './body.ts';
import { encode } from './encode.ts';
import { readItems } from './read.ts';
import { MAX_BYTES, validate } from './validate.ts';

/** `POST /responses`. */
export const openaiResponses: Wire<ResponsesBody> = {
  name: RESPONSES,
  decode,
  encode,
  usage,
  failure: failureOf,
  validate,
};

/** `/responses/compact` hands back the user's messages and its one item behind them: all of that is the window. */
function decode(body: ResponsesBody): Decoded {
  const { items, lead, reads } = readItems(body);
  const first = items.slice(0, lead).map(asFields);
  const texts = first.map(({ content }) =>
    typeof content === 'string'
      ? content
      : asList(content)
          .map((piece) => asString(asFields(piece).text) ?? '')
          .join('\n'),
  );
  const boundary = reads.findLastIndex(({ parts }) =>
    parts.some((part) => part.type === 'native' && asFields(part.block).type === 'compaction'),
  );
  return {
    messages: named(reads),
    system: [asString(body.instructions) ?? '', ...texts].filter((one) => one !== '').join('\n'),
    tools: [...asList(body.tools), ...first.flatMap(({ tools }) => asList(tools))] as readonly Json[],
    ...(boundary < 0 ? {} : { boundary }),
    ...(boundary > 0 && reads.slice(0, boundary).every(({ origin }) => origin === 'human') ? { from: 0 } : {}),
    partial: isPartial(body),
    rules: { reasoning: 'with-next', nativeEditing: false },
    limits: limitsOf(MAX_BYTES),
  };
}

/** Reads a response, a compaction or a stream's last event. Cached tokens are part of `input_tokens`. */
function usage(response: unknown): Reported {
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

export type { ResponsesBody };
