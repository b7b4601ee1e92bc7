import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gateway, startGateway } from '@palimpsest/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFixtureBodies } from './fixture-bodies.ts';
import { answerJson, type RawUpstream, sendRaw, sha256, startUpstream } from './raw-upstream.ts';

let upstream: RawUpstream;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await startUpstream(({ bytes, target }, response) => {
    if (target === '/weird')
      return void response
        .writeHead(218, ['X-Zeta', '1', 'x-alpha', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'] as never)
        .end('as it is');
    answerJson(response, { sha: sha256(bytes) });
  });
  gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 1_000_000 });
});

afterAll(async () => {
  await gateway.close({ graceMs: 0 });
  await upstream.close();
});

const newest = () => upstream.arrived.at(-1)!;

describe('rule 1: what is not edited goes out as it came in', () => {
  it('1,000 bodies of all wires have the same SHA-256 on both sides, compressed ones too', async () => {
    const bodies = makeFixtureBodies(1_000);
    expect(new Set(bodies.map(({ bytes }) => sha256(bytes))).size).toBe(1_000);
    const before = upstream.arrived.length;
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (const [n, { path, bytes, coding }] of bodies.filter((__, at) => at % 8 === lane).entries()) {
        const headers = {
          'content-type': 'application/json',
          // A named conversation is kept however small it is; half of them are.
          ...(n % 2 === 0 ? { 'x-palimpsest-session': `s${n}-${lane}` } : {}),
          ...(coding === undefined ? {} : { 'content-encoding': coding }),
        };
        const answer = await sendRaw(gateway.url + path, { body: bytes, headers });
        expect(JSON.parse(answer.text)).toEqual({ sha: sha256(bytes) });
      }
    });
    await Promise.all(lanes);
    expect(upstream.arrived.length - before).toBe(1_000);
  });

  it('more large bodies at once than are worked on together all go out, and as they came', async () => {
    const path = '/v1/messages';
    const bodies = Array.from({ length: 14 }, (_, n) => {
      const messages = [{ role: 'user', content: `${n} ${'word '.repeat(200_000)}` }];
      return Buffer.from(JSON.stringify({ messages, model: 'm', max_tokens: 1 }));
    });
    const headers = { 'content-type': 'application/json', 'x-palimpsest-window': '10000000' };
    const answers = await Promise.all(bodies.map((body) => sendRaw(gateway.url + path, { body, headers })));
    expect(answers.map(({ text }) => JSON.parse(text))).toEqual(bodies.map((body) => ({ sha: sha256(body) })));
  });

  it('clients that leave in the middle of a large body leave room for the next', async () => {
    const head = 'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 20000000\r\n\r\n{"model"';
    for (const _client of [1, 2, 3]) {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(head);
      // Let in before the others.
      await sleep(20);
      socket.resetAndDestroy();
    }
    const body = Buffer.alloc(8_000_000, 'no JSON, ');
    const { text } = await sendRaw(`${gateway.url}/v1/messages`, { body });
    expect(JSON.parse(text)).toEqual({ sha: sha256(body) });
  });

  it('headers keep their order and their spelling; the gateway’s own and those of the connection do not go on', async () => {
    const sent = [
      ...['Zeta', '1', 'Host', 'gateway.example', 'anthropic-beta', 'b-2,a-1, c', 'X-Palimpsest-Session', 's'],
      ...[
        'Authorization',
        'Bearer k',
        'alpha',
        '2',
        'Keep-Alive',
        'x',
        'x-palimpsest-off',
        '1',
        'ANTHROPIC-version',
        'v',
      ],
      ...['Connection', 'keep-alive, x-hop', 'X-Hop', 'y', 'content-type', 'application/json', 'Content-Length', '2'],
    ];
    await sendRaw(`${gateway.url}/v1/messages`, { headers: sent, body: '{}' });
    const kept = ['Zeta', 'anthropic-beta', 'Authorization', 'alpha', 'ANTHROPIC-version', 'content-type'];
    const names = newest().rawHeaders.filter((_, i) => i % 2 === 0);
    expect(names.filter((name) => !/^(host|connection|content-length)$/i.test(name))).toEqual(kept);
    expect(newest().rawHeaders).toContain('b-2,a-1, c');
    expect(newest().rawHeaders).toContain(new URL(upstream.url).host);
  });

  it('the answer’s status, headers and bytes come back, with the gateway’s own headers behind them', async () => {
    const { status, rawHeaders, text } = await sendRaw(`${gateway.url}/weird`);
    expect(status).toBe(218);
    expect(text).toBe('as it is');
    expect(rawHeaders.slice(0, 8)).toEqual(['X-Zeta', '1', 'x-alpha', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
    expect(rawHeaders).toContain('x-palimpsest-request');
  });

  it.each(['/v1/messages', '/v1/files'])(
    'headers beyond plain ASCII have the same bytes on both sides: %s',
    async (path) => {
      const title = Buffer.from('caf\u00e9 \u{1F600}').toString('latin1');
      const upstream = await startUpstream((_, response) => {
        response.writeHead(200, { 'x-title': title, 'x-latin': 'caf\xe9' });
        response.end(Buffer.from('{}'));
      });
      const gateway = await startGateway({ upstreams: { '*': upstream.url } });
      const headers = { 'x-title': title, 'x-latin': 'caf\xe9' };
      const answer = await sendRaw(gateway.url + path, { headers, body: Buffer.from('{}') });
      expect(answer.headers).toMatchObject(headers);
      expect(upstream.arrived[0]!.rawHeaders).toEqual(expect.arrayContaining([title, 'caf\xe9']));
      await gateway.close({ graceMs: 0 });
      await upstream.close();
    },
  );
});

describe('rule 7: everything unknown passes', () => {
  it('paths, methods and query strings, to the byte', async () => {
    const target = '/v1/files/abc%20d?beta=true&x=%7Ba%7D&y=a+b&empty=';
    await sendRaw(gateway.url + target, { method: 'PATCH', body: 'raw \u0000 bytes' });
    expect(newest()).toMatchObject({ method: 'PATCH', target, bytes: Buffer.from('raw \u0000 bytes') });
    await sendRaw(`${gateway.url}/v1/batches/b_1`, { method: 'DELETE' });
    expect(newest()).toMatchObject({ method: 'DELETE', target: '/v1/batches/b_1' });
  });

  it('HEAD / asks the provider, GET / says hello and what to set', async () => {
    const head = await sendRaw(`${gateway.url}/`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(newest()).toMatchObject({ method: 'HEAD', target: '/' });
    const count = upstream.arrived.length;
    const hello = await sendRaw(`${gateway.url}/`);
    expect(hello.text).toContain(`ANTHROPIC_BASE_URL=${gateway.url}`);
    expect(hello.text).toContain(`OPENAI_BASE_URL=${gateway.url}/v1`);
    expect(upstream.arrived.length).toBe(count);
  });

  it('WebSockets are refused, so that clients fall back to plain requests', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'x',
      'sec-websocket-version': '13',
    };
    const answer = await sendRaw(`${gateway.url}/v1/responses`, { headers });
    expect(answer.status).toBe(426);
  });
});
