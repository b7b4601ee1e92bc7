import { asFields, asList, asNumber, type Fields, omitFields } from '@palimpsest/core/json';
import type { Prepared } from '../api/api.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { makeSegments } from '../prompt/prompt.ts';

/** Tools stand before everything else in the prompt; a message is one block. */
export function prepareChat(body: Fields, model: SimModel, counter: Counter): Prepared {
  const tools = [...asList(body.tools), ...asList(body.functions)].map(asFields);
  return {
    segments: makeSegments(
      [
        ...tools.map((block) => ({ run: 'tools', block })),
        ...asList(body.messages)
          .map(asFields)
          .map((message) => ({ run: String(message.role), block: omitFields(message, 'role') })),
      ],
      counter,
    ),
    maxOutput: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens) ?? model.maxOutput,
    stream: body.stream === true,
    thinks: body.reasoning_effort !== undefined && body.reasoning_effort !== 'none',
    tools: tools.flatMap((tool) => {
      const { name } = asFields(tool.function ?? tool);
      return typeof name === 'string' ? [name] : [];
    }),
    conversation: body,
  };
}
