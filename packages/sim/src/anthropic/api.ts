import { asFields, asList, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import type { Api } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import { createBreakpointCache } from '../cache/breakpoint-cache.ts';
import type { Counter } from '../prompt/counter.ts';
import { identifier } from '../random.ts';
import { answerMessage } from './answer.ts';
import { checkMessages } from './check.ts';
import { type AnthropicPrepared, prepareMessages } from './prepare.ts';
import { errorBody } from './problems.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const COMPACT_TRIGGER = 150_000;

/** The server's own compaction is not simulated. Where it would happen, that is said rather than passed over. */
function findDueCompaction(body: Fields, tokens: number): Problem | undefined {
  const edit = asList(asFields(body.context_management).edits)
    .map(asFields)
    .find(({ type }) => type === 'compact_20260112');
  const isDue = edit !== undefined && tokens > (asNumber(asFields(edit.trigger).value) ?? COMPACT_TRIGGER);
  if (!isDue && !isFields(body.compaction)) return undefined;
  return {
    status: 400,
    path: isDue ? 'context_management' : 'compaction',
    rule: 'not-simulated',
    message: 'this simulator does not compact on the server; raise the trigger or leave the parameter out',
  };
}

/** `POST /v1/messages` and `/v1/messages/count_tokens`. */
export function createAnthropicApi(counter: Counter): Api<AnthropicPrepared> {
  const cache = createBreakpointCache();
  return {
    name: 'anthropic-messages',
    vendor: 'anthropic',
    maxBytes: MAX_BYTES,
    findKey: (headers) => headers['x-api-key'] ?? /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1],
    refuseKey: (key) => ({
      status: 401,
      path: '',
      rule: 'unauthorized',
      message: key === undefined ? 'x-api-key header is required' : 'invalid x-api-key',
    }),
    refuseSize: () => ({ status: 413, path: '', rule: 'too-many-bytes', message: 'Request exceeds the maximum size' }),
    refuseSyntax: (detail) => ({
      status: 400,
      path: '',
      rule: 'not-json',
      message: `The request body is not valid JSON: ${detail}`,
    }),
    refuseModel: (name) => ({ status: 404, path: 'model', rule: 'unknown-model', message: `model: ${name}` }),
    findModelName: (body) => asString(body.model),
    check: checkMessages,
    prepare: (body, incoming, model) => prepareMessages(body, incoming, model, counter),
    measure: (tokens, body, _prepared, { window }) =>
      tokens <= window
        ? findDueCompaction(body, tokens)
        : {
            status: 400,
            path: 'messages',
            rule: 'too-long',
            message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
          },
    serveCache: ({ segments }, body, { key }, model, now) =>
      cache.serve(segments, JSON.stringify([key, model.name, body.speed ?? null]), model.minimumCachePrefix, now),
    answer: answerMessage,
    refuse: (problem, n) => {
      const id = identifier('req_', n, 'refused');
      return {
        status: problem.status,
        headers: { 'request-id': id },
        body: { type: 'json', value: errorBody(problem, id) },
      };
    },
  };
}
