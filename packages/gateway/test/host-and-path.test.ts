import { request } from 'node:http';
import { type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, startUpstream } from './raw-upstream.ts';

async function start(options: GatewayOptions = {}) {
  const lines: RequestLine[] = [];
  const upstream = await startUpstream((_, response) => answerJson(response, {}));
  onTestFinished(upstream.close);
  const onRequest = (line: RequestLine): void => void lines.push(line);
  const gateway = await startGateway({ upstreams: { '*': `${upstream.url}/team-a` }, onRequest, ...options });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  const { port } = new URL(gateway.url);
  /** Sends the path as it is written: `fetch` and URLs would resolve its dots first. */
  const get = (path: string, host = `127.0.0.1:${port}`) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject).end();
    });
  return { get, upstream, lines };
}

describe('the gateway’s own pages', () => {
  it.each(['/', '/metrics', '/inspect'])('answer 421 under the name of another machine: %s', async (path) => {
    const { get } = await start();
    expect(await get(path, 'rebound.example:80')).toBe(421);
    expect(await get(path, '127.0.0.1.rebound.example')).toBe(421);
  });

  it.each(['/', '/metrics'])('answer under each name of this machine: %s', async (path) => {
    const { get } = await start();
    for (const host of ['localhost', 'localhost:1234', '127.0.0.1', '127.0.0.2:80', '[::1]', '[::1]:80'])
      expect(await get(path, host)).toBe(200);
  });

  it('answer under any name where the gateway has keys and may stand on another machine', async () => {
    const { get } = await start({ keys: { alice: 'gateway-key-of-alice' } });
    expect(await get('/metrics', 'gateway.example')).toBe(200);
    expect(await get('/', 'gateway.example')).toBe(200);
  });

  it('say that a load balancer may ask under any name whether it lives', async () => {
    const { get } = await start();
    expect([await get('/livez', 'pod.example'), await get('/readyz', 'pod.example')]).toEqual([200, 200]);
  });
});

describe('a path with dot segments', () => {
  it.each([
    '/v1/../../team-b/v1/files',
    '/v1/./files',
    '/openai/../v1/files',
    '/v1/%2e%2E/files',
    '/v1/files/..',
    '/v1/..%2ffiles',
    '/v1/%2E/..%5Cfiles',
    '/..;/v1/files',
    '/v1/files/..#x',
  ])('is refused before it reaches the upstream, which may resolve it: %s', async (path) => {
    const { get, upstream, lines } = await start();
    expect(await get(path)).toBe(400);
    expect(upstream.arrived).toHaveLength(0);
    await expect.poll(() => lines.map(({ status }) => status)).toEqual([400]);
  });

  it.each(['/../metrics', '/v1/%2e%2e/../metrics', '/..'])(
    'is answered as the page that it resolves to, under names of this machine only: %s',
    async (path) => {
      const { get, upstream } = await start();
      expect([await get(path), await get(path, 'rebound.example')]).toEqual([200, 421]);
      expect(upstream.arrived).toHaveLength(0);
    },
  );

  it.each(['/v1/files/a..b', '/v1/files/...', '/v1/files/.env', '/v1/files?path=../x'])(
    'is not one that only has dots in a name or in its query: %s',
    async (path) => {
      const { get, upstream } = await start();
      expect(await get(path)).toBe(200);
      expect(upstream.arrived[0]?.target).toBe(`/team-a${path}`);
    },
  );
});
