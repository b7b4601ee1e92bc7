import { asFields, type Fields } from '@palimpsest/core/json';
import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@palimpsest/wire';
import type { Api, Incoming, Prepared } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import type { Sending } from '../api/sending.ts';
import type { SimUsage } from '../api/usage.ts';
import { falsifyUsage, refuseByFault } from '../faults/fault-effects.ts';
import type { SimModel, Vendor } from '../models.ts';
import { countTokens } from '../prompt/prompt.ts';
import { identifier } from '../random.ts';
import { type ApiName, fitReply, type SimRequest } from '../script/reply.ts';
import { isSummaryRequest } from '../script/summaries.ts';
import { findGroup } from './conversations.ts';
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
  /** What its turns are counted by. */
  readonly conversation?: string;
}

/** A request that nothing speaks against, as its API reads it. */
interface Admitted<P extends Prepared> {
  readonly body: Fields;
  readonly model: SimModel;
  readonly prepared: P;
  readonly tokens: number;
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
  const early = refuseUnread(api, received);
  if (early !== undefined) return refuse(early);
  const name = api.findModelName(asFields(body), incoming);
  const model = name === undefined ? undefined : world.findModel(name, api.vendor);
  if (name !== undefined && model === undefined) return refuse(api.refuseModel(name));
  const problem = api.check(body, incoming, model);
  if (problem !== undefined || model === undefined)
    return refuse(problem ?? api.refuseModel(''), model === undefined ? {} : { model });

  const prepared = api.prepare(body as Fields, incoming, model);
  const base = { model, stream: prepared.stream };
  const tokens = countTokens(prepared.segments);
  const isCount = /[/:]count_?tokens$/i.test(incoming.path);
  const late =
    (isCount ? undefined : explainSize(api.measure(tokens, body as Fields, prepared, model), prepared, model)) ??
    refuseByFault(world.findFault(n), api.vendor, world.retryAfterMs);
  if (late !== undefined) return refuse(late, base);
  return isCount
    ? { ...base, sending: answerCount(api.vendor, prepared, tokens) }
    : answerRequest(api, world, received, { body: body as Fields, model, prepared, tokens });
}

/** From this share of the window on, system prompt and tools are what a refusal for size should name. */
const LARGE_SHARE = 0.75;

/** The vendor's words, and behind them that no shorter conversation would help. */
function explainSize(problem: Problem | undefined, { segments }: Prepared, { window }: SimModel): Problem | undefined {
  const fixed = countTokens(segments.filter(({ text }) => /^(?:tools|system|developer) /.test(text)));
  if (problem === undefined || fixed < window * LARGE_SHARE) return problem;
  const why = `(simulator: system prompt and tools alone take ${fixed} of the window's ${window} tokens)`;
  return { ...problem, message: `${problem.message} ${why}` };
}

/** The refusals that come before the body is looked at. */
function refuseUnread<P extends Prepared>(api: Api<P>, received: Received): Problem | undefined {
  const { incoming, hasKey, byteCount, parsed } = received;
  if (!hasKey || incoming.key.startsWith('invalid')) return api.refuseKey(hasKey ? incoming.key : undefined);
  if (byteCount > api.maxBytes) return api.refuseSize();
  return 'value' in parsed ? undefined : api.refuseSyntax(parsed.detail);
}

async function answerRequest<P extends Prepared>(
  api: Api<P>,
  world: World,
  { n, at, incoming }: Received,
  { body, model, prepared, tokens }: Admitted<P>,
): Promise<Decision> {
  const cached = api.serveCache(prepared, body, incoming, model, at);
  const said = decodeConversation(api.name, prepared.conversation);
  const group = findGroup(incoming, body);
  const summary = isSummaryRequest(said.messages);
  const conversation = world.conversations.find(group, said.messages);
  if (summary) world.conversations.noteSummary(group, conversation);
  const request: SimRequest = {
    ...said,
    api: api.name,
    model: model.name,
    n,
    turn: world.findTurn(conversation),
    tools: prepared.tools,
    maxOutput: prepared.maxOutput,
    thinks: prepared.thinks,
    body,
  };
  const reply = await (summary ? world.summaries : world.model)(request);
  const left = model.window - tokens;
  const room = Math.max(1, Math.min(prepared.maxOutput, left));
  const spoken = fitReply(reply, room, left < prepared.maxOutput, prepared.thinks, world.counter);
  world.conversations.noteCalls(
    group,
    conversation,
    spoken.calls.map((_, i) => identifier('', world.seed, n, i, 'call')),
  );
  const usage: SimUsage = {
    input: tokens - cached.read - cached.write,
    output: spoken.tokens,
    cacheRead: cached.read,
    cacheWrite: cached.write,
    cacheWriteHour: cached.writeHour,
    reasoning: spoken.thinkingTokens,
  };
  const stated = falsifyUsage(usage, world.findFault(n), world.seed, n);
  return {
    model,
    stream: prepared.stream,
    sending: api.answer({ n, seed: world.seed, at, model, body, prepared, spoken, usage: stated }),
    usage,
    summary,
    conversation,
    ...(stated === usage ? {} : { stated: stated ?? null }),
  };
}

const answerCount = (vendor: Vendor, { tokensBeforeEdits }: Prepared, tokens: number): Sending => ({
  status: 200,
  headers: {},
  body: {
    type: 'json',
    value:
      vendor === 'google'
        ? { totalTokens: tokens }
        : {
            input_tokens: tokens,
            ...(tokensBeforeEdits === undefined
              ? {}
              : { context_management: { original_input_tokens: tokensBeforeEdits } }),
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
