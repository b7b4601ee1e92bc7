import { asFields } from '@palimpsest/core/json';
import type { Api, Incoming } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import { createImplicitCache } from '../cache/implicit-cache.ts';
import type { Counter } from '../prompt/counter.ts';
import { answerContent } from './answer.ts';
import { checkContents } from './check.ts';
import { type GeminiPrepared, prepareContents } from './prepare.ts';

const MAX_BYTES = 100 * 1024 * 1024;

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const errorBody = ({ status, type, message }: Problem, details?: readonly object[]): object => ({
  error: {
    code: status,
    message,
    status: type ?? STATUSES[status] ?? 'UNKNOWN',
    ...(details === undefined ? {} : { details }),
  },
});

/** `POST /v1beta/models/{model}:generateContent`, `:streamGenerateContent` and `:countTokens`; `/v1` and `/v1alpha` too. */
export function createGeminiApi(counter: Counter): Api<GeminiPrepared> {
  const cache = createImplicitCache(counter.text);
  return {
    name: 'gemini',
    vendor: 'google',
    maxBytes: MAX_BYTES,
    findKey: (headers, query) => headers['x-goog-api-key'] ?? query.get('key') ?? undefined,
    refuseKey: (key) =>
      key === undefined
        ? {
            status: 403,
            path: '',
            rule: 'unauthorized',
            message:
              "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
          }
        : { status: 400, path: '', rule: 'unauthorized', message: 'API key not valid. Please pass a valid API key.' },
    refuseSize: () => ({
      status: 400,
      path: '',
      rule: 'too-many-bytes',
      message: `Request payload size exceeds the limit: ${MAX_BYTES} bytes.`,
    }),
    refuseSyntax: (detail) => ({
      status: 400,
      path: '',
      rule: 'not-json',
      message: `Invalid JSON payload received. ${detail}`,
    }),
    refuseModel: (name) => ({
      status: 404,
      path: 'model',
      rule: 'unknown-model',
      message: `models/${name} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
    }),
    findModelName: (_body, { path }) => /\/models\/([^/:]+):/.exec(path)?.[1],
    check: (body, incoming, model) => checkContents(readAsked(body, incoming), model),
    prepare: (body, incoming, model) => prepareContents(asFields(readAsked(body, incoming)), incoming, model, counter),
    measure: (tokens, _body, _prepared, { window }) =>
      tokens <= window
        ? undefined
        : {
            status: 400,
            path: 'contents',
            rule: 'too-long',
            message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
          },
    serveCache: ({ segments }, _body, { key }, model, now) =>
      cache.serve(segments, JSON.stringify([key, model.name]), {
        minimum: model.minimumCachePrefix,
        now,
        long: false,
      }),
    answer: answerContent,
    refuse: (problem) => ({
      status: problem.status,
      headers: {},
      body: { type: 'json', value: errorBody(problem, retryInfo(problem)) },
    }),
  };
}

/** `countTokens` takes the contents alone, or a whole request to be counted. */
function readAsked(body: unknown, { path }: Incoming): unknown {
  const whole = asFields(body).generateContentRequest;
  return path.endsWith(':countTokens') && whole !== undefined ? whole : body;
}

/** Google states the delay in the body. */
const retryInfo = ({ retryAfterMs }: Problem): readonly object[] | undefined =>
  retryAfterMs === undefined
    ? undefined
    : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterMs / 1000}s` }];
