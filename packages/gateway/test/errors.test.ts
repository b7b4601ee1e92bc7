import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { type Gateway, type RequestLine, startGateway } from '@palimpsest/gateway';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerJson, type RawUpstream, sendRaw, startUpstream } from './raw-upstream.ts';

const DEAD = 'http://127.0.0.1:9';
const KEY = 'gateway-key-of-alice';
let dead: Gateway;
let locked: Gateway;
let upstream: RawUpstream;

beforeAll(async () => {
  upstream = await startUpstream((_, response) => answerJson(response, {}));
  dead = await startGateway({ upstreams: { '*': DEAD } });
  locked = await startGateway({
    upstreams: { '*': upstream.url },
    keys: { alice: KEY },
    upstreamKeys: { anthropic: 'sk-ant-real', gemini: 'gemini-real' },
  });
});
afterAll(async () => {
  for (const one of [dead, locked]) await one.close({ graceMs: 0 });
  await upstream.close();
});

describe('rule 5: errors come in the client’s own dialect', () => {
  it('an upstream that is away is no 502, and each vendor’s SDK understands what it is told', async () => {
    const anthropic = new Anthropic({ baseURL: dead.url, apiKey: 'k', maxRetries: 0 });
    const asked = anthropic.messages.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] });
    await expect(asked).rejects.toMatchObject({ status: 503, error: { type: 'error', error: { type: 'api_error' } } });
    const openai = new OpenAI({ baseURL: `${dead.url}/v1`, apiKey: 'k', maxRetries: 0 });
    await expect(openai.responses.create({ model: 'm', input: 'hi' })).rejects.toMatchObject({
      status: 503,
      type: 'server_error',
      // A code and no more: a message may repeat what was sent.
      message: expect.stringMatching(new RegExp(`openai cannot be reached at ${DEAD} \\([A-Z_]+\\)$`)),
    });
    const google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: dead.url } });
    await expect(google.models.generateContent({ model: 'm', contents: 'hi' })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('"status":"UNAVAILABLE"'),
    });
  });

  it('a refusal of the upstream comes back as it was, with its retry-after', async () => {
    const answer = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const busy = await startUpstream((_, response) => {
      response.writeHead(529, { 'retry-after': '7', 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
    const gateway = await startGateway({ upstreams: { '*': busy.url } });
    const { status, headers, text } = await sendRaw(`${gateway.url}/v1/messages`, { body: '{}' });
    expect([status, headers['retry-after'], JSON.parse(text)]).toEqual([529, '7', answer]);
    await gateway.close({ graceMs: 0 });
    await busy.close();
  });
});

describe('rule 9: who may use it', () => {
  it('an address that others can reach needs a key of the gateway’s own', async () => {
    await expect(startGateway({ host: '0.0.0.0' })).rejects.toThrow('needs a key of its own');
    await expect(startGateway({ keys: { a: 'short' } })).rejects.toThrow('at least 16 characters');
  });

  it('with keys, nobody passes without one, and none of them goes on', async () => {
    const refused = await sendRaw(`${locked.url}/v1/messages`, { body: '{}', headers: { 'x-api-key': 'sk-ant-mine' } });
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    expect(upstream.arrived).toHaveLength(0);

    const headers = { 'x-api-key': 'sk-ant-mine', 'x-palimpsest-key': KEY };
    await sendRaw(`${locked.url}/v1/messages`, { body: '{}', headers });
    expect(upstream.arrived.at(-1)!.rawHeaders).toContain('sk-ant-mine');
    await sendRaw(`${locked.url}/v1/messages`, { body: '{}', headers: { authorization: `Bearer ${KEY}` } });
    expect(upstream.arrived.at(-1)!.rawHeaders).toContain('sk-ant-real');
    expect(JSON.stringify(upstream.arrived)).not.toContain(KEY);

    const google = `${locked.url}/v1beta/models/m:generateContent`;
    for (const query of [`?key=${KEY}`, `?alt=sse&key=${KEY}&x=a%20b`, `?alt=sse&key=${KEY.replace('a', '%61')}`]) {
      await sendRaw(google + query, { body: '{}' });
      const { rawHeaders, target } = upstream.arrived.at(-1)!;
      expect(rawHeaders).toContain('gemini-real');
      expect(decodeURIComponent(target)).not.toContain(KEY);
      expect(target.includes('alt=sse')).toBe(query.includes('alt=sse'));
    }
    for (const more of ['x-palimpsest-key', 'x-house-api-key']) {
      await sendRaw(`${locked.url}/v1/messages`, { body: '{}', headers: { 'x-api-key': KEY, [more]: KEY } });
      expect(upstream.arrived.at(-1)!.rawHeaders).toContain('sk-ant-real');
    }
    expect(JSON.stringify(upstream.arrived)).not.toContain(KEY);

    const none = await sendRaw(`${locked.url}/v1/responses`, {
      body: '{}',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect([none.status, none.text]).toEqual([401, expect.stringContaining('no key for openai')]);
  });

  it('no key stands in what is told of a request, wherever its client put it', async () => {
    const lines: RequestLine[] = [];
    const gateway = await startGateway({ upstreams: { '*': DEAD }, onRequest: (line) => lines.push(line) });
    const headers = { authorization: 'Bearer secret-1', 'x-api-key': 'secret-2', 'x-goog-api-key': 'secret-3' };
    for (const path of ['/v1beta/models/m:generateContent', '/v1/messages', '/v1/files', '/palimpsest/receipts/x'])
      await sendRaw(`${gateway.url}${path}?key=secret-4`, { body: '{"model":"m","messages":[]}', headers });
    await expect.poll(() => lines.length).toBe(4);
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect((await sendRaw(`${gateway.url}/metrics`)).text).not.toContain('secret');
    await gateway.close({ graceMs: 0 });
  });

  it('health and metrics are there without one', async () => {
    expect((await sendRaw(`${locked.url}/livez`)).text).toBe('ok\n');
    expect((await sendRaw(`${locked.url}/readyz`)).status).toBe(200);
    const { text } = await sendRaw(`${locked.url}/metrics`);
    expect(text).toMatch(/palimpsest_requests_total\{upstream="anthropic",status="200"\} \d+/);
    expect(text).toContain('palimpsest_overhead_seconds_bucket{le="+Inf"}');
  });
});
