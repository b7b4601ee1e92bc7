import { startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerJson, type RawArrived, sendRaw, startUpstream } from './raw-upstream.ts';

const LONG = Array.from({ length: 41 }, (_, n) => ({
  role: n % 2 === 0 ? 'user' : 'assistant',
  content: `${n}: ${'some words that take room '.repeat(60)}`,
}));

/** Each dialect: where its messages go, where it states a model, and how. */
const DIALECTS: Readonly<
  Record<string, { target: string; asked: string; body: (model: string) => object; stated: (tokens: number) => object }>
> = {
  Anthropic: {
    target: '/v1/messages?beta=true',
    asked: '/v1/models/next-model?beta=true',
    body: (model) => ({ model, max_tokens: 100, messages: LONG }),
    stated: (tokens) => ({ type: 'model', id: 'next-model', max_input_tokens: tokens, max_tokens: 1_000 }),
  },
  'OpenAI Chat of a house': {
    target: '/v1/chat/completions',
    asked: '/v1/models/next-model',
    body: (model) => ({ model, messages: LONG }),
    stated: (tokens) => ({ id: 'next-model', object: 'model', max_model_len: tokens }),
  },
  'OpenAI Responses': {
    target: '/v1/responses',
    asked: '/v1/models/next-model',
    body: (model) => ({ model, input: LONG }),
    stated: (tokens) => ({ id: 'next-model', object: 'model', context_window: tokens }),
  },
  Gemini: {
    target: '/v1beta/models/next-model:streamGenerateContent?alt=sse&key=k1',
    asked: '/v1beta/models/next-model?key=k1',
    body: () => ({
      contents: LONG.map(({ role, content }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text: content }],
      })),
    }),
    stated: (tokens) => ({ name: 'models/next-model', inputTokenLimit: tokens }),
  },
};

async function start(answer: (arrived: RawArrived) => readonly [number, unknown]) {
  const upstream = await startUpstream((arrived, response) => {
    const [status, value] = answer(arrived);
    answerJson(response, value, status);
  });
  onTestFinished(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url } });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k1', authorization: 'Bearer k1' };
  const send = (target: string, body: object) =>
    sendRaw(gateway.url + target, { method: 'POST', headers, body: JSON.stringify(body) });
  return { upstream, send };
}

describe('a window that nobody stated', () => {
  it.each(Object.entries(DIALECTS))('is asked of the provider, once, with the client’s key: %s', async (_, one) => {
    const { upstream, send } = await start(({ method }) => [200, method === 'GET' ? one.stated(4_000) : {}]);
    const before = JSON.stringify(one.body('next-model')).length;
    for (const _time of [1, 2]) {
      const { headers } = await send(one.target, one.body('next-model'));
      expect(headers['x-palimpsest-compacted'] ?? headers['x-palimpsest-tokens']).toBeDefined();
      expect(headers['x-palimpsest-passed']).toBeUndefined();
    }
    const [question, ...sent] = upstream.arrived;
    expect([question?.method, question?.target, question?.bytes.length]).toEqual(['GET', one.asked, 0]);
    expect(question?.rawHeaders).toContain('k1');
    expect(question?.rawHeaders.map((name) => name.toLowerCase())).not.toContain('content-type');
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST']);
    for (const { bytes } of sent) expect(bytes.length).toBeLessThan(before / 2);
  });

  it.each([
    [404, { error: 'no such model' }],
    [200, { id: 'next-model', object: 'model' }],
    [401, { max_input_tokens: 9 }],
    [200, 'not what was asked for'],
  ])(
    'is unknown where it answers %i %j: the request goes on as it came, and it is asked no more',
    async (...answer) => {
      const { upstream, send } = await start(({ method }) => (method === 'GET' ? answer : [200, {}]));
      const body = { model: 'next-model', max_tokens: 100, messages: LONG };
      for (const _time of [1, 2]) {
        const { status, headers } = await send('/v1/messages', body);
        expect([status, headers['x-palimpsest-passed']]).toEqual([
          200,
          expect.stringContaining('is not known (--window)'),
        ]);
      }
      expect(upstream.arrived.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
      expect(JSON.parse(upstream.arrived[1]!.bytes.toString())).toEqual(body);
    },
  );

  it('is asked for again after a minute where the provider refused the key', async () => {
    let isRefused = true;
    const { upstream, send } = await start(({ method }) => {
      if (method !== 'GET') return [200, {}];
      return isRefused ? [401, {}] : [200, { max_input_tokens: 4_000 }];
    });
    const body = { model: 'next-model', max_tokens: 100, messages: LONG };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = send('/v1/messages', body);
    expect((await first).headers['x-palimpsest-passed']).toContain('is not known');
    isRefused = false;
    expect((await send('/v1/messages', body)).headers['x-palimpsest-passed']).toContain('is not known');
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect((await send('/v1/messages', body)).headers['x-palimpsest-compacted']).toBe('true');
    expect(upstream.arrived.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  it('is not asked for where it is known, and never by a name that would be another path', async () => {
    const { upstream, send } = await start(() => [200, {}]);
    await send('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 100, messages: LONG });
    expect(upstream.arrived.map(({ method }) => method)).toEqual(['POST']);
    await send('/v1/messages', { model: '../../admin?x=1', max_tokens: 100, messages: LONG });
    expect(upstream.arrived[1]?.target).toBe('/v1/models/..%2F..%2Fadmin%3Fx%3D1');
  });
});
