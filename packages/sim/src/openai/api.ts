import { asFields, asList, asString, type Fields } from '@palimpsest/core/json';
import type { Api, Incoming, Prepared } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import type { CacheOutcome } from '../cache/cache-outcome.ts';
import { createImplicitCache, type ImplicitCache } from '../cache/implicit-cache.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { identifier } from '../random.ts';
import { answerChat } from './answer-chat.ts';
import { answerResponse, refuseLate } from './answer-responses.ts';
import { checkChat } from './check-chat.ts';
import { checkResponses } from './check-responses.ts';
import { listItems } from './items.ts';
import { createMemory } from './memory.ts';
import { prepareChat } from './prepare-chat.ts';
import { prepareResponses, type ResponsesPrepared } from './prepare-responses.ts';
import { makeError } from './problems.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** What both endpoints do alike. */
const shared = {
  vendor: 'openai',
  maxBytes: MAX_BYTES,
  findKey: (headers: Readonly<Record<string, string>>) => /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1],
  refuseKey: (key: string | undefined): Problem =>
    key === undefined
      ? {
          status: 401,
          path: '',
          rule: 'unauthorized',
          message:
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        }
      : {
          status: 401,
          path: '',
          rule: 'unauthorized',
          message: `Incorrect API key provided: ${key.slice(0, 8)}***.`,
          code: 'invalid_api_key',
        },
  refuseSize: (): Problem => ({
    status: 413,
    path: '',
    rule: 'too-many-bytes',
    message: `Request body exceeds the maximum size of ${MAX_BYTES} bytes.`,
    code: 'request_too_large',
  }),
  refuseSyntax: (): Problem => ({
    status: 400,
    path: '',
    rule: 'not-json',
    message: 'We could not parse the JSON body of your request. The API expects a JSON payload.',
  }),
  refuseModel: (name: string): Problem => ({
    status: 404,
    path: 'model',
    rule: 'unknown-model',
    message: `The model \`${name}\` does not exist or you do not have access to it.`,
    code: 'model_not_found',
  }),
  findModelName: (body: Fields) => asString(body.model),
} as const;

const refuse = (problem: Problem, n: number) => ({
  status: problem.status,
  headers: { 'x-request-id': identifier('req_', n, 'refused') },
  body: { type: 'json' as const, value: { error: makeError(problem) } },
});

const serveImplicitly = (
  cache: ImplicitCache,
  { segments }: Prepared,
  body: Fields,
  { key }: Incoming,
  model: SimModel,
  now: number,
): CacheOutcome =>
  cache.serve(segments, JSON.stringify([key, model.name, body.prompt_cache_key ?? null]), {
    minimum: model.minimumCachePrefix,
    now,
    long: body.prompt_cache_retention === '24h' || asFields(body.prompt_cache_options).ttl === '24h',
  });

/** The server's own compaction is not simulated. Where it would happen, that is said rather than passed over. */
function findDueCompaction(body: Fields, tokens: number): Problem | undefined {
  const due = asList(body.context_management)
    .map(asFields)
    .find(({ compact_threshold }) => tokens > Number(compact_threshold));
  const isAsked = listItems(body.input).at(-1)?.type === 'compaction_trigger';
  if (due === undefined && !isAsked) return undefined;
  return {
    status: 400,
    path: isAsked ? 'input' : 'context_management',
    rule: 'not-simulated',
    message: 'This simulator does not compact on the server; raise the threshold or leave the parameter out.',
  };
}

/** `POST /v1/chat/completions`. */
export function createChatApi(counter: Counter): Api {
  const cache = createImplicitCache(counter.text);
  return {
    ...shared,
    name: 'openai-chat',
    check: (body, _incoming, model) => checkChat(body, model),
    prepare: (body, _incoming, model) => prepareChat(body, model, counter),
    measure(tokens, body, _prepared, { window }) {
      const asked = Number(body.max_completion_tokens ?? body.max_tokens ?? 0);
      if (tokens + asked <= window) return undefined;
      const size =
        tokens > window
          ? `your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
          : `you requested ${tokens + asked} tokens (${tokens} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`;
      return {
        status: 400,
        path: 'messages',
        rule: 'too-long',
        message: `This model's maximum context length is ${window} tokens. However, ${size}`,
        param: 'messages',
        code: 'context_length_exceeded',
      };
    },
    serveCache: (prepared, body, incoming, model, now) => serveImplicitly(cache, prepared, body, incoming, model, now),
    answer: answerChat,
    refuse,
  };
}

/** `POST /v1/responses`. */
export function createResponsesApi(counter: Counter): Api<ResponsesPrepared> {
  const cache = createImplicitCache(counter.text);
  const memory = createMemory();
  return {
    ...shared,
    name: 'openai-responses',
    check: (body, _incoming, model) => checkResponses(body, model, memory),
    prepare: (body, _incoming, model) => prepareResponses(body, model, counter, memory),
    measure: (tokens, body, prepared, { window }) =>
      tokens <= window
        ? findDueCompaction(body, tokens)
        : {
            status: 400,
            path: 'input',
            rule: 'too-long',
            message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
            param: 'input',
            code: 'context_length_exceeded',
            // A stream has begun by the time the prompt is measured.
            ...(prepared.stream ? { late: true } : {}),
          },
    serveCache: (prepared, body, incoming, model, now) => serveImplicitly(cache, prepared, body, incoming, model, now),
    answer(answer) {
      const { id, output, sending } = answerResponse(answer);
      const items = [...answer.prepared.items, ...output];
      memory.notice(items);
      if (answer.body.store !== false) memory.store(id, items);
      return sending;
    },
    refuse: (problem, n, body, at) =>
      problem.late === true
        ? refuseLate(problem, identifier('resp_', n, 'refused'), asFields(body), at)
        : refuse(problem, n),
  };
}
