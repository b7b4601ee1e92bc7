import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Gateway, type RequestLine, startGateway } from '@palimpsest/gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawUpstream, sendRaw, startUpstream } from './raw-upstream.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const lines: RequestLine[] = [];

async function start(
  answer: (response: ServerResponse, n: number) => void | Promise<void>,
  options = {},
): Promise<{ readonly upstream: RawUpstream; readonly gateway: Gateway }> {
  const upstream: RawUpstream = await startUpstream((_, response) => answer(response, upstream.arrived.length));
  ends.push(upstream.close);
  const gateway = await startGateway({
    upstreams: { '*': upstream.url },
    onRequest: (line) => lines.push(line),
    ...options,
  });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { upstream, gateway };
}

const beginStream = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
};
const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

describe('rule 6: streams', () => {
  it('are handed on event by event: the first one is here before the upstream says the second', async () => {
    let next: () => void = () => {};
    const { gateway } = await start(async (response) => {
      beginStream(response);
      response.write(event('one'));
      await new Promise<void>((resolve) => {
        next = resolve;
      });
      response.end(event('two'));
    });
    let seen = '';
    const { text, headers } = await sendRaw(`${gateway.url}/v1/messages`, {
      body: '{}',
      onChunk(chunk) {
        seen += chunk.toString();
        if (seen === event('one')) next();
      },
    });
    expect(text).toBe(event('one') + event('two'));
    expect(headers['x-accel-buffering']).toBe('no');
  });

  it('come out with the same bytes wherever the upstream’s writes cut them, also inside a character', async () => {
    const whole = Buffer.from([1, 2, 3].map((n) => event('text', { n, text: '日本語 🙂 naïve' })).join(''));
    const { gateway } = await start(async (response) => {
      beginStream(response);
      for (const byte of whole) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const chunks: Buffer[] = [];
    const { bytes } = await sendRaw(`${gateway.url}/v1/messages`, { body: '{}', onChunk: (one) => chunks.push(one) });
    expect(bytes.equals(whole)).toBe(true);
    for (const chunk of chunks) expect(chunk.toString()).not.toContain('\ufffd');
  });

  it('have pings in a long silence, between events only', async () => {
    let next: () => void = () => {};
    const { gateway } = await start(
      async (response) => {
        beginStream(response);
        response.write(`${event('one')}event: two\nda`);
        await new Promise<void>((resolve) => {
          next = resolve;
        });
        response.end('ta: {"type":"two"}\n\n');
      },
      { pingMs: 20 },
    );
    const ask = (path: string) =>
      sendRaw(gateway.url + path, { body: '{}', onChunk: (chunk) => void (chunk.includes('ping') && next()) });
    const { text } = await ask('/v1/messages');
    const ping = event('ping');
    expect(text.startsWith(event('one') + ping)).toBe(true);
    expect(text.replaceAll(ping, '')).toBe(event('one') + event('two'));
    expect((await ask('/v1/chat/completions')).text).toContain(': ping\n\n');
  });

  it('that only begin and then think for long are handed on all the same, with pings', async () => {
    let next: () => void = () => {};
    const created = event('response.created', { response: { id: 'r1' } });
    const { gateway } = await start(
      async (response) => {
        beginStream(response);
        response.write(created);
        await new Promise<void>((resolve) => {
          next = resolve;
        });
        response.end(event('response.completed', { response: { id: 'r1' } }));
      },
      { pingMs: 20, window: 8_000 },
    );
    let seen = '';
    const { text } = await sendRaw(`${gateway.url}/v1/responses`, {
      body: JSON.stringify({ model: 'm', stream: true, input: 'hi' }),
      headers: { 'content-type': 'application/json', 'x-palimpsest-session': 's1' },
      onChunk(chunk) {
        seen += chunk.toString();
        if (seen.startsWith(`${created}: ping`)) next();
      },
    });
    expect(text.replaceAll(': ping\n\n', '')).toBe(created + event('response.completed', { response: { id: 'r1' } }));
  });

  it('that the client leaves are ended upstream', async () => {
    const { gateway, upstream } = await start(async (response) => {
      beginStream(response);
      response.write(event('one'));
      await once(response, 'close');
      left.push(true);
    });
    const left: boolean[] = [];
    const gone = new AbortController();
    const sent = sendRaw(`${gateway.url}/v1/messages`, {
      body: '{}',
      signal: gone.signal,
      onChunk: () => gone.abort(),
    });
    await expect(sent).rejects.toThrow();
    await expect.poll(() => left).toEqual([true]);
    expect(upstream.arrived).toHaveLength(1);
    await expect.poll(() => lines.at(-1)?.ended).toBe('client');
  });

  it('that break in the middle break for the client too, behind the last whole event', async () => {
    let cut: () => void = () => {};
    const { gateway } = await start((response) => {
      beginStream(response);
      response.write(`${event('one')}event: tw`);
      cut = () => response.destroy();
    });
    for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1/files']) {
      let seen = '';
      const onChunk = (chunk: Buffer): void => {
        seen += chunk.toString();
        if (seen === event('one')) cut();
      };
      await expect(sendRaw(gateway.url + path, { body: '{}', onChunk })).rejects.toThrow(/aborted|reset/);
      expect(seen).toBe(event('one'));
      await expect.poll(() => lines.at(-1)).toMatchObject({ path, ended: 'upstream', cause: 'UND_ERR_SOCKET' });
    }
    const { text } = await sendRaw(`${gateway.url}/metrics`);
    expect(text).toContain('palimpsest_broken_total{by="upstream"} 4\n');
  });

  it('hand on the event behind which they break at once, in a conversation that is kept too', async () => {
    const { gateway } = await start(
      (response) => {
        beginStream(response);
        response.write(event('message_start', { message: {} }), () => response.destroy());
      },
      { window: 8_000 },
    );
    let seen = '';
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi '.repeat(4_000) }],
    });
    const sent = sendRaw(`${gateway.url}/v1/messages`, { body, onChunk: (chunk) => (seen += chunk.toString()) });
    await expect(sent).rejects.toThrow(/aborted|reset/);
    expect(seen).toBe(event('message_start', { message: {} }));
  });

  it('pass on an error event that the upstream sent before it ended', async () => {
    const answer = event('one') + event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    const { gateway } = await start((response) => {
      beginStream(response);
      response.end(answer);
    });
    expect((await sendRaw(`${gateway.url}/v1/messages`, { body: '{}' })).text).toBe(answer);
  });

  it('that are compressed are handed on as they are', async () => {
    const packed = gzipSync(event('one').repeat(50));
    const { gateway } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(packed);
    });
    const { bytes } = await sendRaw(`${gateway.url}/v1/messages`, { body: '{}' });
    expect(bytes.equals(packed)).toBe(true);
  });

  it('of a whole answer that is cut off, the client sees cut off', async () => {
    const { gateway } = await start(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":');
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
    });
    await expect(sendRaw(`${gateway.url}/v1/messages`, { body: '{}' })).rejects.toThrow(/aborted|hang up|reset/);
    await expect.poll(() => lines.at(-1)?.ended).toBe('upstream');
  });
});
