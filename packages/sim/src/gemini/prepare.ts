import { asFields, asList, asNumber, type Fields, isFields } from '@palimpsest/core/json';
import type { Incoming, Prepared } from '../api/api.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { makeSegments } from '../prompt/prompt.ts';
import { camelizeKeys, listContents, listInstructions } from './contents.ts';

export interface GeminiPrepared extends Prepared {
  readonly sse: boolean;
}

/** Tools stand before the system instruction, and that before the contents; a part is one block. */
export function prepareContents(
  body: Fields,
  { path, query }: Incoming,
  model: SimModel,
  counter: Counter,
): GeminiPrepared {
  const request = camelizeKeys(body);
  const config = camelizeKeys(asFields(request.generationConfig));
  const declared = asList(request.tools).flatMap((tool) => {
    const { functionDeclarations } = camelizeKeys(asFields(tool));
    return asList(functionDeclarations).map(asFields);
  });
  const thinking = config.thinkingConfig;
  return {
    segments: makeSegments(
      [
        ...declared.map((block) => ({ run: 'tools', block })),
        ...listInstructions(request).map((block) => ({ run: 'system', block })),
        ...listContents(request).flatMap(({ isModel, parts }) =>
          parts.map((block) => ({ run: isModel ? 'model' : 'user', block })),
        ),
      ],
      counter,
    ),
    maxOutput: asNumber(config.maxOutputTokens) ?? model.maxOutput,
    stream: path.endsWith(':streamGenerateContent'),
    sse: query.get('alt') === 'sse',
    thinks: isFields(thinking) && camelizeKeys(thinking).includeThoughts === true,
    tools: declared.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    conversation: request,
  };
}
