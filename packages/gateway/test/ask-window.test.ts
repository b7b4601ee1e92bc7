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
  const send = (target: string, body: object, more: Readonly<Record<string, string>> = {}) =>
    sendRaw(gateway.url + target, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
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

  it.each(
    [
      [200, { id: 'next-model', object: 'model' }],
      [401, { max_input_tokens: 9_000 }],
      [302, { max_input_tokens: 9_000 }],
      [200, 'not what was asked for'],
      [200, '<html>'],
      [200, { max_input_tokens: 0 }],
      [200, { max_input_tokens: -8_000 }],
      [200, { max_input_tokens: 1 }],
      [200, { max_input_tokens: 0.5 }],
      [200, { max_input_tokens: 4_000.5 }],
      [200, { max_input_tokens: '4000' }],
      [200, { data: [{ id: 'next-model', max_input_tokens: 4_000 }] }],
      [200, { max_input_tokens: 4_000, text: 'x'.repeat(5 * 2 ** 20) }],
    ].map(([status, value]) => [Number(status), JSON.stringify(value).slice(0, 60), value] as const),
  )(
    'is unknown where it answers %i %s: the request goes on as it came, and it is asked no more',
    async (code, _, value) => {
      const { upstream, send } = await start(({ method }) => (method === 'GET' ? [code, value] : [200, {}]));
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

  it.each([
    ['states', [{ id: 'another', max_model_len: 9_000 }, null, { id: 'next-model', max_model_len: 4_000 }], 'true'],
    ['does not state', [{ id: 'another', max_model_len: 4_000 }], undefined],
    ['makes nonsense of', 'none', undefined],
  ])('is read off the list of a server that has no page for each model, where it %s it', async (_, data, compacted) => {
    const { upstream, send } = await start(({ method, target }) => {
      if (method !== 'GET') return [200, {}];
      return target === '/v1/models' ? [200, { object: 'list', data }] : [404, {}];
    });
    for (const _time of [1, 2]) await send('/v1/chat/completions', { model: 'next-model', messages: LONG });
    const { headers } = await send('/v1/chat/completions', { model: 'next-model', messages: [...LONG, ...LONG] });
    expect(headers['x-palimpsest-compacted']).toBe(compacted);
    const targets = upstream.arrived.map(({ target }) => target);
    expect(targets.filter((one) => one.startsWith('/v1/models'))).toEqual(['/v1/models/next-model', '/v1/models']);
  });

  it('is not taken from another upstream, whose model of that name may be another', async () => {
    const [large, small] = await Promise.all(
      [400_000, 4_000].map((tokens) =>
        startUpstream(({ method }, response) =>
          answerJson(response, method === 'GET' ? { id: 'next-model', max_model_len: tokens } : {}),
        ),
      ),
    );
    onTestFinished(large!.close);
    onTestFinished(small!.close);
    const gateway = await startGateway({ upstreams: { large: large!.url, small: small!.url } });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const body = JSON.stringify({ model: 'next-model', messages: LONG });
    const compacted = [];
    for (const name of ['small', 'large', 'small', 'large'])
      compacted.push(
        (await sendRaw(`${gateway.url}/${name}/v1/chat/completions`, { body })).headers['x-palimpsest-tokens'],
      );
    const [first, second] = compacted.map((tokens) => String(tokens).split('/').map(Number));
    expect(first![1]).toBeLessThan(first![0]! / 2);
    expect(second![1]).toBe(second![0]);
  });

  it('is asked for by whoever has the right key, while another’s was refused', async () => {
    const { send } = await start(({ method, rawHeaders }) => {
      if (method !== 'GET') return [200, {}];
      return rawHeaders.includes('wrong') ? [401, {}] : [200, { max_input_tokens: 4_000 }];
    });
    const body = { model: 'next-model', max_tokens: 100, messages: LONG };
    const wrong = await send('/v1/messages', body, { 'x-api-key': 'wrong' });
    expect(wrong.headers['x-palimpsest-passed']).toContain('is not known');
    expect((await send('/v1/messages', body)).headers['x-palimpsest-compacted']).toBe('true');
  });

  it.each([
    ['.', '.'],
    ['..', '..'],
    ['nothing', ''],
    ['half a pair', '\ud800'],
    ['100,000 characters', 'm'.repeat(100_000)],
  ])(
    'of a name that is none is nobody’s: the request goes on as it came, and its answer comes (%s)',
    async (_, model) => {
      const { upstream, send } = await start(({ method }) => [method === 'GET' ? 404 : 200, {}]);
      const { status, headers } = await send('/v1/messages', { model, max_tokens: 100, messages: LONG });
      expect([status, headers['x-palimpsest-passed']]).toEqual([200, expect.stringContaining('is not known')]);
      expect(String(headers['x-palimpsest-passed']).length).toBeLessThan(1_000);
      for (const { target } of upstream.arrived)
        expect(['/v1/messages', '/v1/models', '/v1/models/%EF%BF%BD']).toContain(target);
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
