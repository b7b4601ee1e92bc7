import { type ChatBody, openaiChat } from '@palimpsest/wire';
import { asFields, asList, asNumber, asString, type Fields } from '../fields.ts';
import type { ModelRequest, Stop } from '../model.ts';
import type { Answer, Collector, Delta, Provider, ProviderSettings } from './provider.ts';

function bodyFor({ model, maxOutput, isVendor }: ProviderSettings, request: ModelRequest): ChatBody & Fields {
  const limit = request.maxOutput ?? maxOutput;
  return {
    model,
    // The vendor's reasoning models refuse the old name; servers that imitate it know no other.
    ...(isVendor ? { max_completion_tokens: limit } : { max_tokens: limit }),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    messages: request.system === '' ? [] : [{ role: 'system', content: request.system }],
  };
}

const STOPS: Readonly<Record<string, Stop>> = {
  stop: 'end',
  tool_calls: 'tool',
  function_call: 'tool',
  length: 'length',
};

export const openaiChatProvider: Provider = {
  baseUrl: 'https://api.openai.com/v1',
  keyName: 'OPENAI_API_KEY',
  rules: (settings) => openaiChat.decode(bodyFor(settings, { system: '', tools: [], messages: [] })).rules,
  request(request, settings) {
    const { body } = openaiChat.encode(request.messages, bodyFor(settings, request));
    const headers = settings.key === undefined ? {} : { authorization: `Bearer ${settings.key}` };
    return { path: '/chat/completions', headers, body };
  },
  collect: () => newCollector(),
  failure: openaiChat.failure,
};

interface CallSoFar {
  id: string;
  name: string;
  arguments: string;
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning'];

function newCollector(): Collector {
  const calls: CallSoFar[] = [];
  const reasoning: Record<string, string> = {};
  let content = '';
  let usage: Answer['usage'] = {};
  let stop: Stop | undefined;

  return {
    take(event) {
      const fields = asFields(event);
      const found = openaiChat.usage(fields).usage;
      if (Object.keys(found).length > 0) usage = found;
      const choice = asFields(asList(fields.choices)[0]);
      const delta = asFields(choice.delta);
      if (typeof choice.finish_reason === 'string') stop = STOPS[choice.finish_reason] ?? 'other';
      for (const [i, piece] of asList(delta.tool_calls).entries()) addCall(asFields(piece), i);
      const deltas: Delta[] = [];
      for (const field of REASONING_FIELDS) {
        const more = asString(delta[field]);
        if (more === '') continue;
        reasoning[field] = (reasoning[field] ?? '') + more;
        deltas.push({ type: 'reasoning-added', text: more });
      }
      const more = asString(delta.content);
      content += more;
      if (more !== '') deltas.push({ type: 'text-added', text: more });
      return deltas;
    },
    end() {
      if (stop === undefined) return undefined;
      const message = {
        role: 'assistant',
        content: content === '' ? null : content,
        ...reasoning,
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, name, arguments: input }, i) => ({
                id: id === '' ? `call_${i}` : id,
                type: 'function',
                function: { name, arguments: input },
              })),
            }),
      };
      const [read] = openaiChat.decode({ messages: [message] }).messages;
      return { parts: read?.parts ?? [], stop: calls.length > 0 ? 'tool' : stop, usage };
    },
  };

  /** Some servers send a call whole and without an index. */
  function addCall(piece: Fields, i: number): void {
    const at = asNumber(piece.index) ?? i;
    calls[at] ??= { id: '', name: '', arguments: '' };
    const made = asFields(piece.function);
    calls[at].id ||= asString(piece.id);
    calls[at].name += asString(made.name);
    calls[at].arguments += asString(made.arguments);
  }
}
