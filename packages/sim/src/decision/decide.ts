import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@palimpsest/wire';
import type { Api, Incoming, Prepared } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import type { SimUsage } from '../api/usage.ts';
import { refusedByFault, statedUsage } from '../faults/fault-effects.ts';
import type { Sending } from '../http/transmit.ts';
import { asFields, type Fields } from '../json.ts';
import type { SimModel } from '../models.ts';
import { tokensIn } from '../prompt/prompt.ts';
import { type ApiName, type SimRequest, spoken } from '../script/reply.ts';
import { isSummaryRequest } from '../script/summaries.ts';
import type { World } from './world.ts';

export interface Received {
  readonly n: number;
  readonly at: number;
  readonly incoming: Incoming;
  readonly hasKey: boolean;
  readonly byteCount: number;
  readonly parsed: { readonly value: unknown } | { readonly detail: string };
}

export interface Decision {
  readonly sending: Sending;
  readonly problem?: Problem;
  readonly model?: SimModel;
  readonly stream?: boolean;
  readonly usage?: SimUsage;
  /** `null` where nothing is stated; absent where the truth is. */
  readonly stated?: SimUsage | null;
  readonly summary?: boolean;
}

/** What a request is answered with. Checks come first, so that a fault never hides a bad body. */
export async function decide<P extends Prepared>(api: Api<P>, world: World, received: Received): Promise<Decision> {
  const { n, at, incoming, parsed } = received;
  const body = 'value' in parsed ? parsed.value : undefined;
  const refuse = (problem: Problem, more: Partial<Decision> = {}): Decision => ({
    sending: api.refuse(problem, n, body, at),
    problem,
    ...more,
  });
  if (!received.hasKey || incoming.key.startsWith('invalid'))
    return refuse(api.unauthorized(received.hasKey ? incoming.key : undefined));
  if (received.byteCount > api.maxBytes) return refuse(api.tooLarge());
  if (!('value' in parsed)) return refuse(api.notJson(parsed.detail));
  const name = api.modelName(asFields(body), incoming);
  const model = name === undefined ? undefined : world.modelOf(name, api.vendor);
  if (name !== undefined && model === undefined) return refuse(api.unknownModel(name));
  const problem = api.check(body, incoming, model);
  if (problem !== undefined || model === undefined)
    return refuse(problem ?? api.unknownModel(''), model === undefined ? {} : { model });

  const prepared = api.prepare(body as Fields, incoming, model);
  const base = { model, stream: prepared.stream };
  const tokens = tokensIn(prepared.segments);
  const isCount = incoming.path.endsWith('/count_tokens');
  const outsized = isCount ? undefined : api.measure(tokens, body as Fields, prepared, model);
  if (outsized !== undefined) return refuse(outsized, base);
  const fault = world.faultAt(n);
  const failed = refusedByFault(fault, api.vendor, world.retryAfterMs);
  if (failed !== undefined) return refuse(failed, base);
  if (isCount) return { ...base, sending: counted(prepared, tokens) };

  const cached = api.cache(prepared, body as Fields, incoming, model, at);
  const request: SimRequest = {
    ...conversationOf(api.name, prepared.conversation),
    api: api.name,
    model: model.name,
    n,
    turn: world.turnOf(incoming.key),
    tools: prepared.tools,
    maxOutput: prepared.maxOutput,
    thinks: prepared.thinks,
    body: body as Fields,
  };
  const summary = isSummaryRequest(request.messages);
  const reply = await (summary ? world.summaries : world.model)(request);
  const left = model.window - tokens;
  const isNear = left < prepared.maxOutput;
  const room = Math.max(1, Math.min(prepared.maxOutput, left));
  const said = spoken(reply, room, isNear, prepared.thinks, world.counter);
  const usage: SimUsage = {
    input: tokens - cached.read - cached.write,
    output: said.tokens,
    cacheRead: cached.read,
    cacheWrite: cached.write,
    cacheWriteHour: cached.writeHour,
    reasoning: said.thinkingTokens,
  };
  const stated = statedUsage(usage, fault, world.seed, n);
  return {
    ...base,
    sending: api.answer({
      n,
      seed: world.seed,
      at,
      model,
      body: body as Fields,
      prepared,
      spoken: said,
      usage: stated,
    }),
    usage,
    summary,
    ...(stated === usage ? {} : { stated: stated ?? null }),
  };
}

const counted = ({ tokensBeforeEdits }: Prepared, tokens: number): Sending => ({
  status: 200,
  headers: {},
  body: {
    type: 'json',
    value: {
      input_tokens: tokens,
      ...(tokensBeforeEdits === undefined ? {} : { context_management: { original_input_tokens: tokensBeforeEdits } }),
    },
  },
});

const WIRES: Readonly<Record<ApiName, { decode(body: never): Pick<SimRequest, 'system' | 'messages'> }>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
};

/** Only to show scripted models what was said; nothing is checked or counted by it. */
function conversationOf(api: ApiName, body: Fields): Pick<SimRequest, 'system' | 'messages'> {
  const { system, messages } = WIRES[api].decode(body as never);
  return { system, messages };
}
