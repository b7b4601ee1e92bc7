import type { ServerResponse } from 'node:http';
import { type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventCutter } from '../src/http/event-cutter.ts';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

async function start(answer: (response: ServerResponse, n: number) => void, options: GatewayOptions = {}) {
  const lines: RequestLine[] = [];
  let count = 0;
  const upstream = await startUpstream((_, response) => answer(response, count++));
  onTestFinished(upstream.close);
  const gateway = await startGateway({
    upstreams: { '*': upstream.url },
    window: 8_000,
    onRequest: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  const ask = (onChunk?: (chunk: Buffer) => void) =>
    sendRaw(`${gateway.url}/v1/messages`, { body: BODY, ...(onChunk === undefined ? {} : { onChunk }) });
  return { ask, lines, upstream };
}

const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 100,
  stream: true,
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Hello.' }],
});

/** A round of the model as a stream, with the length that a server states which has all of it before it speaks. */
const makeRound = (block: object, stop: string): string =>
  event('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 9 } } }) +
  event('content_block_start', { index: 0, content_block: block }) +
  event('content_block_stop', { index: 0 }) +
  event('message_delta', { delta: { stop_reason: stop }, usage: { output_tokens: 1 } }) +
  event('message_stop');

const answerSized = (response: ServerResponse, text: string, length = Buffer.byteLength(text)): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': String(length) });
  response.write(text);
  return response;
};

describe('a stream that states its length', () => {
  it('and breaks before its end breaks for the client too, which does not wait for the rest', async () => {
    let cut = (): void => {};
    const { ask, lines } = await start((response) => {
      const sent = answerSized(response, event('one') + event('two').slice(0, 9), 5_000);
      cut = () => void sent.destroy();
    });
    let seen = '';
    const asked = ask((chunk) => {
      seen += chunk.toString();
      cut();
    });
    await expect(asked).rejects.toThrow(/aborted|reset/);
    expect(seen).toBe(event('one'));
    await expect.poll(() => lines[0]?.ended).toBe('upstream');
  });

  it('is whole with pings in it', async () => {
    let end = (): void => {};
    const { ask } = await start(
      (response) => {
        const sent = answerSized(response, event('one'), Buffer.byteLength(event('one') + event('two')));
        end = () => void sent.end(event('two'));
      },
      { pingMs: 20 },
    );
    const { text } = await ask((chunk) => void (chunk.includes('ping') && end()));
    expect(text).toContain('event: ping');
    expect(text.endsWith(event('two'))).toBe(true);
  });

  it('may be longer by the rounds that follow it', async () => {
    const lookup = { type: 'tool_use', id: 't1', name: 'palimpsest_recall', input: { query: 'hello' } };
    const rounds = [makeRound(lookup, 'tool_use'), makeRound({ type: 'text', text: 'x'.repeat(900) }, 'end_turn')];
    const { ask, upstream } = await start((response, n) => void answerSized(response, rounds[n] ?? '').end(), {
      recall: true,
    });
    const { text } = await ask();
    expect(upstream.arrived).toHaveLength(2);
    expect(text).toContain('x'.repeat(900));
    expect(text.endsWith(event('message_stop'))).toBe(true);
  });
});

describe('an event cutter', () => {
  it.each(['\n', '\r\n', '\r'])('finds the end of an event however small the pieces are (%j)', (end) => {
    const text = `data: one${end}${end}data: two${end}${end}: three`;
    for (const size of [1, 2, 3, 5]) {
      const cutter = createEventCutter();
      const cut: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        const whole = cutter.cut(Buffer.from(text.slice(at, at + size)));
        if (whole !== undefined) cut.push(whole.toString());
      }
      expect(cut).toHaveLength(2);
      expect(cut.join('') + cutter.rest()).toBe(text);
    }
  });
});

describe('a refusal that never ends', () => {
  it.each([
    ['kept', {}],
    ['with lookups', { recall: true }],
    ['passed', { off: true }],
  ])('is handed on after a while, as far as it came: %s', async (_, options) => {
    const { ask } = await start(
      (response) => {
        response.writeHead(500, { 'content-type': 'text/event-stream' });
        response.write(event('error'));
      },
      { pingMs: 20, ...options },
    );
    const said = await new Promise<string>((resolve) => void ask((chunk) => resolve(chunk.toString())).catch(() => {}));
    expect(said).toContain('event: error');
  });

  it('is read to its end where it has one: what was too long gets smaller', async () => {
    const { ask, upstream } = await start((response) => answerJson(response, { type: 'error' }, 500));
    expect((await ask()).status).toBe(500);
    expect(upstream.arrived).toHaveLength(1);
  });
});
