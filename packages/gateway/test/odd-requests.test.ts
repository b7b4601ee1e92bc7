import { connect } from 'node:net';
import { type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, sha256, startUpstream } from './raw-upstream.ts';

async function start(options: GatewayOptions = {}) {
  const lines: RequestLine[] = [];
  const upstream = await startUpstream((_, response) => answerJson(response, { fine: true }));
  onTestFinished(upstream.close);
  const gateway = await startGateway({
    upstreams: { '*': upstream.url },
    window: 8_000,
    onRequest: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return { gateway, upstream, lines };
}

const deep = (open: string, close: string): string => `${open.repeat(100_000)}1${close.repeat(100_000)}`;

describe('with lookups too, what cannot be read goes on as it came', () => {
  const tools = '"tools":[{"name":"t","functionDeclarations":[{"name":"q"}]}]';
  it.each([
    ['/v1/messages', `{"model":"m",${tools},"messages":[{"role":"user","content":${deep('[', ']')}}]}`],
    ['/v1/messages', `{"model":"m","tools":[${deep('[', ']')}],"messages":[{"role":"user","content":"x"}]}`],
    ['/v1/chat/completions', `{"model":"m",${tools},"messages":[${deep('{"a":', '}')}]}`],
    ['/v1/responses', `{"model":"m",${tools},"input":${deep('[', ']')}}`],
    ['/v1beta/models/m:generateContent', `{${tools},"contents":[{"role":"user","content":${deep('[', ']')}}]}`],
  ])('%s', async (path, body) => {
    const { gateway, upstream, lines } = await start({ recall: true });
    const { status, headers } = await sendRaw(gateway.url + path, { body });
    expect(status).toBe(200);
    expect(headers['x-palimpsest-passed']).toContain('RangeError');
    expect(upstream.arrived.map(({ bytes }) => sha256(bytes))).toEqual([sha256(body)]);
    await expect.poll(() => lines[0]?.passed).toContain('RangeError');
  });
});

describe('a client that would rather speak HTTP/2', () => {
  /** As the HTTP client of Java asks for it, and curl with --http2. */
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';

  it.each([
    ['a body', 'POST', 'Content-Length: 27\r\n', '{"model":"m","messages":[]}'],
    ['none', 'GET', '', ''],
  ])('is answered as it asked first, with %s', async (_, method, length, body) => {
    const { gateway, upstream } = await start();
    const { port } = new URL(gateway.url);
    const path = method === 'POST' ? '/v1/messages' : '/v1/models/m';
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (text.includes('fine')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\n${upgrade}${length}\r\n${body}`,
      );
    });
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.arrived.map(({ bytes }) => bytes.toString())).toEqual([body]);
    expect(upstream.arrived[0]?.rawHeaders.join(' ').toLowerCase()).not.toContain('upgrade');
  });
});
