import { createOpenAI } from '@ai-sdk/openai';
import { CompactionError } from '@palimpsest/core';
import { palimpsestMiddleware } from '@palimpsest/sdk/ai-sdk';
import { palimpsest as middleware } from '@palimpsest/sdk/anthropic';
import { createKeeper } from '@palimpsest/sdk/keeper';
import { type FetchOptions, type KeptEvent, type PassedEvent, palimpsest } from '@palimpsest/sdk/openai';
import { type HttpServer, sendJson, startServer } from '@palimpsest/testing/http-server';
import { generateText, wrapLanguageModel } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const messages = [{ role: 'user', content: 'word '.repeat(9_000) }];
const contents = [{ role: 'user', parts: [{ text: 'word '.repeat(9_000) }] }];
const input = [{ role: 'user', content: 'On.' }];

const BEDROCK = '/model/anthropic.claude-sonnet-5/';
const VERTEX = '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-5';

/** Path, body, reason, and what the message advises. */
const PASSED = [
  [`${BEDROCK}invoke`, { messages }, 'unknown-endpoint', /AnthropicBedrock .*middleware/],
  [`${BEDROCK}invoke-with-response-stream`, { messages }, 'unknown-endpoint', /AnthropicBedrock/],
  [`${BEDROCK}converse`, { messages }, 'unknown-endpoint', /AnthropicBedrock/],
  [`${VERTEX}:rawPredict`, { messages }, 'unknown-endpoint', /AnthropicVertex .*middleware/],
  [`${VERTEX}:streamRawPredict`, { messages }, 'unknown-endpoint', /AnthropicVertex/],
  ['/api/chat', { model: 'm', messages }, 'unknown-endpoint', /\/v1\/chat\/completions/],
  ['/v2/chat', { model: 'm', messages }, 'unknown-endpoint', /compactMessages/],
  ['/v1/messages/batches', { requests: [{ custom_id: 'a', params: { messages } }] }, 'batch', /each conversation/],
  ['/v1/batches', { input_file_id: 'f', endpoint: '/v1/chat/completions' }, 'batch', /each conversation/],
  ['/v1beta/models/gemini-2.5-pro:batchGenerateContent', { batch: {} }, 'batch', /each conversation/],
  ['/v1/responses', { model: 'm', previous_response_id: 'r', input }, 'server-history', /whole history/],
  ['/v1/responses', { model: 'm', conversation: 'c', input }, 'server-history', /whole history/],
  [
    '/v1beta/models/gemini-2.5-pro:generateContent',
    { cachedContent: 'c', contents },
    'server-history',
    /cachedContent/,
  ],
  ['/v1/threads/t/runs', { assistant_id: 'a' }, 'server-history', /whole history/],
] as const;

let server: HttpServer;
let events: KeptEvent[];
beforeEach(async () => {
  events = [];
  server = await startServer((_, response) => sendJson(response, 200, {}));
});
afterEach(() => server.close());

const on = (event: KeptEvent): void => void events.push(event);
const passed = (): readonly PassedEvent[] => events.filter((event) => event.type === 'passed');

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer> | Blob,
  options: Partial<FetchOptions> = {},
  headers: object = {},
) =>
  palimpsest({ window: 4_000, on, ...options })(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('a request that could have been kept and is not', () => {
  it.each(PASSED)('goes out as it came, and one event says why: %s %#', async (path, body, reason, advice) => {
    await post(path, JSON.stringify(body));
    expect(server.arrived[0]!.text).toBe(JSON.stringify(body));
    expect(passed()).toEqual([
      { type: 'passed', reason, message: expect.stringMatching(advice), model: expect.any(String) },
    ]);
  });

  it.each(PASSED)(
    'is refused under `strict`, with what to do, and nothing is sent: %s %#',
    async (path, body, _, advice) => {
      const answer = await post(path, JSON.stringify(body), { strict: true });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(await answer.json()).toMatchObject({
        error: { code: 'not-kept', message: expect.stringMatching(advice) },
      });
      expect(server.arrived).toHaveLength(0);
      expect(events).toEqual([]);
    },
  );

  it('is reported where the body is compressed or a stream', async () => {
    const compressed = new Blob([JSON.stringify({ model: 'm', messages })])
      .stream()
      .pipeThrough(new CompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    await post('/v1/chat/completions', bytes, {}, { 'content-encoding': 'gzip' });
    await post('/v1/chat/completions', new Blob([JSON.stringify({ model: 'm', messages })]));
    expect(passed().map(({ reason }) => reason)).toEqual(['unreadable-body', 'unreadable-body']);
  });

  it('is reported where the SDK hands over a Request', async () => {
    const request = new Request(`${server.url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'llama', messages }),
    });
    await palimpsest({ window: 4_000, on })(request);
    expect(passed()).toMatchObject([{ reason: 'unknown-endpoint', model: 'llama' }]);
    expect(server.arrived[0]!.body).toEqual({ model: 'llama', messages });
  });

  it('throws from the Anthropic middleware under `strict`', async () => {
    const request = {
      url: `${server.url}/v1/messages/batches`,
      method: 'POST',
      headers: new Headers(),
      body: JSON.stringify({ requests: [] }),
    };
    const sent = middleware({ window: 4_000, strict: true })(request, () => Promise.reject(new Error('was sent')));
    await expect(sent).rejects.toMatchObject({ name: 'CompactionError', code: 'not-kept' });
  });
});

describe('a request that carries no conversation to keep', () => {
  it.each([
    ['/v1/messages/count_tokens', { messages }],
    [`${VERTEX.replace('claude-sonnet-5', 'count-tokens')}:rawPredict`, { messages }],
    ['/v1/responses/input_tokens', { input }],
    ['/v1/responses/compact', { input }],
    ['/v1beta/models/gemini-2.5-pro:countTokens', { contents }],
    ['/v1/embeddings', { model: 'm', input: ['x'] }],
    ['/v1/moderations', { model: 'm', input: [{ type: 'text', text: 'x' }] }],
    ['/v1/batches/b/cancel', {}],
    ['/v1/chat/completions', { model: 'm', messages: [] }],
  ])('makes no event, and `strict` lets it pass: %s', async (path, body) => {
    for (const strict of [false, true]) await post(path, JSON.stringify(body), { strict });
    expect(server.arrived).toHaveLength(2);
    expect(events).toEqual([]);
  });

  it('makes no event where it only reads', async () => {
    await palimpsest({ window: 4_000, on, strict: true })(`${server.url}/v1/messages/batches`);
    expect(server.arrived).toHaveLength(1);
    expect(events).toEqual([]);
  });
});

describe('history that the provider holds', () => {
  const body = { model: 'gpt-5.5', previous_response_id: 'r', input };

  it('is reported by a keeper, which throws under `strict`', async () => {
    expect(await createKeeper({ window: 4_000, on }).keep({ wire: 'openai-responses', body })).toBeUndefined();
    expect(passed()).toMatchObject([{ reason: 'server-history', model: 'gpt-5.5' }]);
    const strict = createKeeper({ window: 4_000, strict: true }).keep({ wire: 'openai-responses', body });
    await expect(strict).rejects.toThrow(CompactionError);
  });

  it('is reported by the AI SDK middleware, which throws under `strict`', async () => {
    const provider = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k' });
    const ask = (strict: boolean) =>
      generateText({
        model: wrapLanguageModel({
          model: provider.responses('gpt-5.5'),
          middleware: palimpsestMiddleware({ window: 4_000, on, strict }),
        }),
        prompt: 'On.',
        providerOptions: { openai: { previousResponseId: 'r' } },
        maxRetries: 0,
      });
    // The server above answers with nothing that the SDK can read.
    await expect(ask(false)).rejects.toThrow();
    expect(server.arrived[0]!.body).toMatchObject({ previous_response_id: 'r' });
    expect(passed()).toMatchObject([{ reason: 'server-history', model: 'gpt-5.5' }]);
    await expect(ask(true)).rejects.toMatchObject({ code: 'not-kept' });
    expect(server.arrived).toHaveLength(1);
  });
});
