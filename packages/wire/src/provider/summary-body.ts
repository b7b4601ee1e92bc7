import { asFields, asNumber, type Fields } from '@palimpsest/core/json';
import type { ApiName } from './apis.ts';

/** How a summary is asked for in one API. */
export interface SummaryBody {
  /** A request with nothing said yet. */
  readonly empty: (model: string) => Fields;
  /** A live body as a request for a text of so many tokens; what the cached prefix depends on stays as it is. */
  readonly limit: (body: Fields, maxOutput: number) => Fields;
}

/** Only where there are tools may one say that none is to be called. */
const forbidCalls = (body: Fields): Fields =>
  body.tools === undefined && body.functions === undefined ? {} : { tool_choice: 'none' };

export const summaryBodies: Readonly<Record<ApiName, SummaryBody>> = {
  anthropic: {
    empty: (model) => ({ model, messages: [] }),
    // Neither the choice of tools nor thinking may change: the cache of the messages hangs on both.
    limit: (body, maxOutput) => ({
      ...body,
      max_tokens: maxOutput + (asNumber(asFields(body.thinking).budget_tokens) ?? 0),
      stream: true,
    }),
  },
  'openai-chat': {
    empty: (model) => ({ model, messages: [] }),
    limit: ({ store: _, ...body }, maxOutput) => ({
      ...body,
      [body.max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens']: maxOutput,
      stream: true,
      stream_options: { include_usage: true },
      ...forbidCalls(body),
    }),
  },
  'openai-responses': {
    empty: (model) => ({ model, input: [] }),
    limit: (body, maxOutput) => ({
      ...body,
      store: false,
      max_output_tokens: maxOutput,
      stream: true,
      ...forbidCalls(body),
    }),
  },
  gemini: {
    empty: () => ({ contents: [] }),
    limit: (body, maxOutput) => ({
      ...body,
      generationConfig: { ...asFields(body.generationConfig), maxOutputTokens: maxOutput },
      ...(body.tools === undefined ? {} : { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
    }),
  },
};
