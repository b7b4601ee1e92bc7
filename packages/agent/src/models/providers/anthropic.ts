import { type AnthropicBody, anthropicMessages } from '@palimpsest/wire';
import { asFields, asNumber, asString, type Fields, parsed } from '../fields.ts';
import type { ModelRequest, Stop } from '../model.ts';
import type { Answer, Collector, Delta, Provider, ProviderSettings } from './provider.ts';

const bodyFor = ({ model, maxOutput }: ProviderSettings, request: ModelRequest): AnthropicBody & Fields => ({
  model,
  max_tokens: request.maxOutput ?? maxOutput,
  stream: true,
  ...(request.system === '' ? {} : { system: [{ type: 'text', text: request.system }] }),
  ...(request.tools.length === 0
    ? {}
    : {
        tools: request.tools.map(({ name, description, parameters }) => ({
          name,
          description,
          input_schema: parameters,
        })),
      }),
  messages: [],
});

const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool',
  max_tokens: 'length',
};

export const anthropic: Provider = {
  baseUrl: 'https://api.anthropic.com',
  keyName: 'ANTHROPIC_API_KEY',
  rules: (settings) => anthropicMessages.decode(bodyFor(settings, { system: '', tools: [], messages: [] })).rules,
  request(request, settings) {
    const { body, headers } = anthropicMessages.encode(request.messages, bodyFor(settings, request), {
      cacheBreakpoints: true,
      ...(request.native === undefined ? {} : { nativeEdits: request.native }),
    });
    const key = settings.key === undefined ? {} : { 'x-api-key': settings.key };
    return { path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01', ...key, ...headers }, body };
  },
  collect: () => newCollector(),
  failure: anthropicMessages.failure,
};

function newCollector(): Collector {
  const blocks: Record<string, unknown>[] = [];
  const inputs = new Map<number, string>();
  let usage: Answer['usage'] = {};
  let stop: Stop | undefined;
  let isOver = false;

  const grow = (index: number, field: string, more: string): void => {
    const block = blocks[index];
    if (block !== undefined) block[field] = asString(block[field]) + more;
  };

  return {
    take(event) {
      const fields = asFields(event);
      const index = asNumber(fields.index) ?? 0;
      const found = anthropicMessages.usage(fields.type === 'message_start' ? fields.message : fields).usage;
      // The last event names only what changed since the first.
      usage = { ...usage, ...found };
      if (fields.type === 'content_block_start') blocks[index] = { ...asFields(fields.content_block) };
      if (fields.type === 'message_delta') stop = STOPS[asString(asFields(fields.delta).stop_reason)] ?? 'other';
      if (fields.type === 'message_stop') isOver = true;
      return fields.type === 'content_block_delta' ? taken(index, asFields(fields.delta)) : [];
    },
    end() {
      if (!isOver || stop === undefined) return undefined;
      for (const [index, input] of inputs) blocks[index]!.input = input.trim() === '' ? {} : parsed(input);
      const [message] = anthropicMessages.decode({
        messages: [{ role: 'assistant', content: blocks.filter((block) => block !== undefined) }],
      }).messages;
      return { parts: message?.parts ?? [], stop, usage };
    },
  };

  function taken(index: number, delta: Fields): readonly Delta[] {
    switch (delta.type) {
      case 'text_delta':
        grow(index, 'text', asString(delta.text));
        return [{ type: 'text-added', text: asString(delta.text) }];
      case 'thinking_delta':
        grow(index, 'thinking', asString(delta.thinking));
        return [{ type: 'reasoning-added', text: asString(delta.thinking) }];
      case 'signature_delta':
        grow(index, 'signature', asString(delta.signature));
        return [];
      case 'input_json_delta':
        inputs.set(index, (inputs.get(index) ?? '') + asString(delta.partial_json));
        return [];
      default:
        return [];
    }
  }
}
