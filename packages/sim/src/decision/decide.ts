import { asFields, type Fields } from '@palimpsest/core/json';
import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@palimpsest/wire';
import type { Api, Incoming, Prepared } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import type { SimUsage } from '../api/usage.ts';
import { falsifyUsage, refuseByFault } from '../faults/fault-effects.ts';
import type { Sending } from '../http/transmit.ts';
import type { SimModel } from '../models.ts';
import { countTokens } from '../prompt/prompt.ts';
import { type ApiName, fitReply, type SimRequest } from '../script/reply.ts';
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
    return refuse(api.refuseKey(received.hasKey ? incoming.key : undefined));
  if (received.byteCount > api.maxBytes) return refuse(api.refuseSize());
  if (!('value' in parsed)) return refuse(api.refuseSyntax(parsed.detail));
  const name = api.findModelName(asFields(body), incoming);
  const model = name === undefined ? undefined : world.findModel(name, api.vendor);
  if (name !== undefined && model === undefined) return refuse(api.refuseModel(name));
  const problem = api.check(body, incoming, model);
  if (problem !== undefined || model === undefined)
    return refuse(problem ?? api.refuseModel(''), model === undefined ? {} : { model });

  const prepared = api.prepare(body as Fields, incoming, model);
  const base = { model, stream: prepared.stream };
  const tokens = countTokens(prepared.segments);
  const isCount = incoming.path.endsWith('/count_tokens');
  const outsized = isCount ? undefined : api.measure(tokens, body as Fields, prepared, model);
  if (outsized !== undefined) return refuse(outsized, base);
  const fault = world.findFault(n);
  const failed = refuseByFault(fault, api.vendor, world.retryAfterMs);
  if (failed !== undefined) return refuse(failed, base);
  if (isCount) return { ...base, sending: answerCount(prepared, tokens) };

  const cached = api.serveCache(prepared, body as Fields, incoming, model, at);
  const request: SimRequest = {
    ...decodeConversation(api.name, prepared.conversation),
    api: api.name,
    model: model.name,
    n,
    turn: world.findTurn(incoming.key),
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
  const said = fitReply(reply, room, isNear, prepared.thinks, world.counter);
  const usage: SimUsage = {
    input: tokens - cached.read - cached.write,
    output: said.tokens,
    cacheRead: cached.read,
    cacheWrite: cached.write,
    cacheWriteHour: cached.writeHour,
    reasoning: said.thinkingTokens,
  };
  const stated = falsifyUsage(usage, fault, world.seed, n);
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

const answerCount = ({ tokensBeforeEdits }: Prepared, tokens: number): Sending => ({
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
function decodeConversation(api: ApiName, body: Fields): Pick<SimRequest, 'system' | 'messages'> {
  const { system, messages } = WIRES[api].decode(body as never);
  return { system, messages };
}
