import { openaiResponses, type ResponsesBody } from '@palimpsest/wire';
import { asFields, asList, asNumber, asString, type Fields } from '../fields.ts';
import type { ModelRequest, Stop } from '../model.ts';
import type { Answer, Collector, Delta, Provider, ProviderSettings } from './provider.ts';

const bodyFor = ({ model, maxOutput }: ProviderSettings, request: ModelRequest): ResponsesBody & Fields => ({
  model,
  max_output_tokens: request.maxOutput ?? maxOutput,
  stream: true,
  // The conversation lives here and nowhere else; reasoning comes back encrypted so that it can be sent again.
  store: false,
  include: ['reasoning.encrypted_content'],
  ...(request.system === '' ? {} : { instructions: request.system }),
  ...(request.tools.length === 0
    ? {}
    : {
        tools: request.tools.map(({ name, description, parameters }) => ({
          type: 'function',
          name,
          description,
          parameters,
          strict: false,
        })),
      }),
  input: [],
});

export const openaiResponsesProvider: Provider = {
  baseUrl: 'https://api.openai.com/v1',
  keyName: 'OPENAI_API_KEY',
  rules: (settings) => openaiResponses.decode(bodyFor(settings, { system: '', tools: [], messages: [] })).rules,
  request(request, settings) {
    const { body } = openaiResponses.encode(request.messages, bodyFor(settings, request));
    const headers = settings.key === undefined ? {} : { authorization: `Bearer ${settings.key}` };
    return { path: '/responses', headers, body };
  },
  collect: () => newCollector(),
  failure: openaiResponses.failure,
};

function newCollector(): Collector {
  const items: unknown[] = [];
  let usage: Answer['usage'] = {};
  let ended: Fields | undefined;

  return {
    take(event) {
      const fields = asFields(event);
      const delta = asString(fields.delta);
      switch (fields.type) {
        case 'response.output_text.delta':
          return [{ type: 'text-added', text: delta }];
        case 'response.reasoning_summary_text.delta':
          return [{ type: 'reasoning-added', text: delta }] satisfies readonly Delta[];
        case 'response.output_item.done':
          items[asNumber(fields.output_index) ?? items.length] = fields.item;
          return [];
        case 'response.completed':
        case 'response.incomplete':
          ended = asFields(fields.response);
          usage = openaiResponses.usage(fields).usage;
          return [];
        default:
          return [];
      }
    },
    end() {
      if (ended === undefined) return undefined;
      const streamed = items.filter((item) => item !== undefined);
      const output = streamed.length > 0 ? streamed : asList(ended.output);
      const parts = openaiResponses.decode({ input: output }).messages.flatMap((message) => message.parts);
      const hasCalls = parts.some((part) => part.type === 'call');
      const isCut = asFields(ended.incomplete_details).reason === 'max_output_tokens';
      const stop: Stop = hasCalls ? 'tool' : ended.status === 'completed' ? 'end' : isCut ? 'length' : 'other';
      return { parts, stop, usage };
    },
  };
}
