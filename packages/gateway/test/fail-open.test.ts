import { type Gateway, type GatewayOptions, startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { memoryStore } from '@palimpsest/store';
import { afterEach, describe, expect, it } from 'vitest';
import { createBreaker } from '../src/keep/breaker.ts';
import { answerJson, type RawUpstream, sendRaw, sha256, startUpstream } from './raw-upstream.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(
  options: GatewayOptions,
  patience: Pick<GatewayOptions, 'patienceMs'> = { patienceMs: 50 },
): Promise<{ gateway: Gateway; upstream: RawUpstream }> {
  const upstream = await startUpstream((_, response) => answerJson(response, { usage: { output_tokens: 1 } }));
  ends.push(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, ...patience, ...options });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { gateway, upstream };
}

const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 100,
  messages: Array.from({ length: 41 }, (_, n) => ({
    role: n % 2 ? 'assistant' : 'user',
    content: `${n} ${'word '.repeat(400)}`,
  })),
});

async function send(gateway: Gateway, body = BODY): Promise<string | undefined> {
  const { status, headers } = await sendRaw(`${gateway.url}/v1/messages`, { body });
  expect(status).toBe(200);
  return headers['x-palimpsest-passed'] as string | undefined;
}

describe('rule 8: whatever goes wrong inside, the request goes through as it came', () => {
  it.each([
    ['a store that never answers', () => new Promise<never>(() => {}), 'longer than 50 ms', 50],
    [
      'a store that is gone',
      () => Promise.reject(Object.assign(new Error('secret words'), { code: 'unavailable' })),
      '(journal-failed: unavailable)',
      30_000,
    ],
    [
      'a store that throws',
      () => {
        throw new TypeError('a bug');
      },
      '(journal-failed: TypeError)',
      30_000,
    ],
  ])('%s: the same bytes, a header that says so, and after some of them a rest', async (_, open, why, patienceMs) => {
    const { gateway, upstream } = await start({ store: { ...memoryStore(), open }, patienceMs });
    for (let n = 0; n < 5; n++) expect(await send(gateway)).toContain(why);
    expect(await send(gateway)).toContain('rests after failures');
    for (const { bytes } of upstream.arrived) expect(sha256(bytes)).toBe(sha256(BODY));
    const { text } = await sendRaw(`${gateway.url}/metrics`);
    expect(text).toContain('palimpsest_passed_total 6');
  });

  it('a store that does not answer holds up no request that may look things up', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const { gateway, upstream } = await start({ store: { ...memoryStore(), list: never, open: never }, recall: true });
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    const body = JSON.stringify({ ...JSON.parse(BODY), tools });
    expect(await send(gateway, body)).toContain('longer than 50 ms');
    expect(sha256(upstream.arrived.at(-1)!.bytes)).toBe(sha256(body));
  });

  it('what one client brings about itself is no reason for others to go without', async () => {
    const { gateway, upstream } = await start({}, {});
    const deep = (open: string, close: string) => `${open.repeat(100_000)}${close.repeat(100_000)}`;
    const bodies = [
      `{"model":"m","messages":[{"role":"user","content":${deep('[', ']')}}]}`,
      `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":${deep('[', ']')}}`,
      `{"model":"m","messages":[{"role":"user","content":"x"}],"metadata":${deep('{"a":', '}').replace('}', '1}')}}`,
    ];
    for (const body of [...bodies, ...bodies]) {
      await send(gateway, body);
      expect(sha256(upstream.arrived.at(-1)!.bytes)).toBe(sha256(body));
    }
    for (const name of ['constructor', 'toString', '__proto__', 'constructor', 'none', ''])
      await sendRaw(`${gateway.url}/v1/messages`, { body: BODY, headers: { 'x-palimpsest-preset': name } });
    for (const window of ['1e999', '0.5', '-1', 'NaN', '0x10000000000000000', ''])
      await sendRaw(`${gateway.url}/v1/messages`, { body: BODY, headers: { 'x-palimpsest-window': window } });
    for (const { bytes } of upstream.arrived.slice(-12)) expect(bytes.length).toBeGreaterThan(5_000);
    expect(await send(gateway)).toBeUndefined();
    expect(upstream.arrived.at(-1)!.bytes.length).toBeLessThan(BODY.length / 2);
  });

  it('what is too long as it came is waited for longer than the rest: sent as it is, it would be refused', async () => {
    const { gateway } = await start({ store: { ...memoryStore(), open: () => new Promise<never>(() => {}) } }, {});
    const { messages, ...rest } = JSON.parse(BODY.replaceAll('word', 'term'));
    const short = JSON.stringify({ ...rest, messages: messages.slice(0, 9) });
    // Longer than its window by a fifth, at four bytes for a token.
    const near = JSON.stringify({ ...rest, messages: messages.slice(0, 19) }).replaceAll('term', 'name');
    expect(near.length / 8_000).toBeCloseTo(4.8, 0);
    expect(await Promise.all([send(gateway, short), send(gateway, near), send(gateway)])).toEqual([
      'it took longer than 1000 ms',
      'it took longer than 10000 ms',
      'it took longer than 10000 ms',
    ]);
  }, 60_000);

  it('and where the provider finds it too long it is kept without the store: the client hears of nothing', async () => {
    const sim = await startSim({ window: 8_000 });
    ends.push(sim.close);
    const store = { ...memoryStore(), open: () => new Promise<never>(() => {}) };
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: 8_000, patienceMs: 50, store });
    ends.push(() => gateway.close({ graceMs: 0 }));
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
    for (let n = 0; n < 7; n++) {
      const { status } = await sendRaw(`${gateway.url}/v1/messages`, {
        headers,
        body: BODY.replace('"m"', '"claude-sonnet-5"'),
      });
      expect(status).toBe(200);
    }
    expect(new Set(sim.requests.flatMap(({ problem }) => problem?.rule ?? []))).toEqual(new Set(['too-long']));
  });

  it('a store that takes its time is waited for where the body is too long to go as it came', async () => {
    const { open, ...store } = memoryStore();
    const slowly: typeof open = async (...given) => {
      await new Promise((later) => setTimeout(later, 1_500));
      return open(...given);
    };
    const { gateway } = await start({ window: 4_000, store: { ...store, open: slowly } }, {});
    const { messages, ...rest } = JSON.parse(BODY);
    expect(await send(gateway, JSON.stringify({ ...rest, messages: messages.slice(0, 3) }))).toContain(
      'longer than 1000',
    );
    expect(await send(gateway)).toBeUndefined();
  });

  it('what is damaged or in the wrong dialect goes to the provider, who says what it is', async () => {
    const { gateway, upstream } = await start({});
    const bodies = [
      '{"messages": [',
      'null',
      '[]',
      '"text"',
      '{"model":"m","messages":"no list"}',
      '{"contents":[]}',
      '',
    ];
    for (const body of bodies) {
      await sendRaw(`${gateway.url}/v1/messages`, { body, method: 'POST' });
      expect(upstream.arrived.at(-1)!.bytes.toString()).toBe(body);
    }
    const headers = { 'content-encoding': 'gzip' };
    const damaged = await sendRaw(`${gateway.url}/v1/messages`, { body: 'no gzip at all', headers });
    expect(upstream.arrived.at(-1)!.bytes.toString()).toBe('no gzip at all');
    expect(damaged.headers['x-palimpsest-passed']).toBe('its body cannot be decompressed (gzip)');
    const strange = { 'content-encoding': 'lz99' };
    for (const path of ['/v1/messages', '/v1/messages/count_tokens', '/v1/responses/compact']) {
      const unknown = await sendRaw(gateway.url + path, { body: BODY, headers: strange });
      expect(unknown.headers['x-palimpsest-passed']).toBe('its body cannot be decompressed (lz99)');
    }
  });

  it('a body that is too large is refused in the client’s dialect', async () => {
    const { gateway, upstream } = await start({ mostBodyBytes: 10_000 });
    const { status, text } = await sendRaw(`${gateway.url}/v1/messages`, { body: BODY });
    expect([status, JSON.parse(text)]).toMatchObject([413, { type: 'error', error: { type: 'request_too_large' } }]);
    expect(upstream.arrived).toHaveLength(0);
  });
});

describe('a breaker', () => {
  it('rests after failures in a row, lets one try after the rest, and closes when that goes well', () => {
    let now = 0;
    const breaker = createBreaker({ failures: 2, restMs: 100, now: () => now });
    breaker.note('bad');
    breaker.note('good');
    breaker.note('bad');
    expect(breaker.allows()).toBe(true);
    breaker.note('bad');
    expect(breaker.allows()).toBe(false);
    now = 101;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
    breaker.note('good');
    expect(breaker.allows()).toBe(true);
  });

  it('rests twice as long after each try that fails, up to a limit, and begins anew after one that goes well', () => {
    let now = 0;
    const breaker = createBreaker({ failures: 1, restMs: 100, mostRestMs: 300, now: () => now });
    const measureRest = (): number => {
      breaker.note('bad');
      const from = now;
      while (!breaker.allows()) now++;
      return now - from;
    };
    expect([measureRest(), measureRest(), measureRest(), measureRest()]).toEqual([100, 200, 300, 300]);
    breaker.note('good');
    expect(measureRest()).toBe(100);
  });
});
