import { asFields, asNumber, type Fields } from '@palimpsest/core/json';
import { anthropicMessages } from '../anthropic-messages/anthropic-messages.ts';
import { gemini } from '../gemini/gemini.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import type { Wire } from '../wire.ts';

/** Which of the four formats a model is spoken to in. */
export type ApiName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** How one API is asked for a text, as data. Base URLs are those that the vendor's own SDK takes. */
export interface Api {
  readonly wire: Wire<never>;
  readonly path: (model: string) => string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** A request with nothing said yet. */
  readonly empty: (model: string) => Fields;
  /** The live body as a request for a text of so many tokens; what the cached prefix depends on stays as it is. */
  readonly asking: (body: Fields, maxOutput: number) => Fields;
}

const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

const withoutStored = ({ store: _, ...body }: Fields): Fields => body;

const APIS: Readonly<Record<ApiName, Api>> = {
  anthropic: {
    wire: anthropicMessages as Wire<never>,
    path: () => '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    empty: (model) => ({ model, messages: [] }),
    // Neither the choice of tools nor thinking may change: the cache of the messages hangs on both.
    asking: (body, maxOutput) => ({
      ...body,
      max_tokens: maxOutput + (asNumber(asFields(body.thinking).budget_tokens) ?? 0),
      stream: true,
    }),
  },
  'openai-chat': {
    wire: openaiChat as Wire<never>,
    path: () => '/chat/completions',
    headers: bearer,
    empty: (model) => ({ model, messages: [] }),
    asking: (body, maxOutput) => ({
      ...withoutStored(body),
      [body.max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens']: maxOutput,
      stream: true,
      stream_options: { include_usage: true },
      ...noTools(body),
    }),
  },
  'openai-responses': {
    wire: openaiResponses as Wire<never>,
    path: () => '/responses',
    headers: bearer,
    empty: (model) => ({ model, input: [] }),
    asking: (body, maxOutput) => ({
      ...body,
      store: false,
      max_output_tokens: maxOutput,
      stream: true,
      ...noTools(body),
    }),
  },
  gemini: {
    wire: gemini as Wire<never>,
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    headers: (key) => ({ 'x-goog-api-key': key }),
    empty: () => ({ contents: [] }),
    asking: (body, maxOutput) => ({
      ...body,
      generationConfig: { ...asFields(body.generationConfig), maxOutputTokens: maxOutput },
      ...(body.tools === undefined ? {} : { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
    }),
  },
};

/** Only where there are tools may one say that none is to be called. */
const noTools = (body: Fields): Fields =>
  body.tools === undefined && body.functions === undefined ? {} : { tool_choice: 'none' };

export const apiOf = (name: ApiName): Api => APIS[name];
