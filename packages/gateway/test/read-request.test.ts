import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Gateway, startGateway } from '@palimpsest/gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { beginExchange, type Exchange } from '../src/exchange/exchange.ts';
import { createBodyGate } from '../src/http/body-gate.ts';
import { peekOutputLimit, readRequest } from '../src/serve/read-request.ts';
import { answerJson, type RawUpstream, sha256, startUpstream } from './raw-upstream.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

const never = new AbortController().signal;

/** A request whose body is sent at once, as the server has it. */
async function sendOne(
  body: Buffer,
  headers: Record<string, string | number> = { 'content-length': body.length },
): Promise<Exchange> {
  let take = (_: Exchange): void => {};
  const taken = new Promise<Exchange>((resolve) => {
    take = resolve;
  });
  const server = createServer((incoming, outgoing) => take(beginExchange(incoming, outgoing)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers,
  });
  sent.on('error', () => {});
  sent.end(body);
  ending.push(() => {
    sent.destroy();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return taken;
}

const newState = (mostBytes: number, mostBodyBytes = 1_000_000) => ({
  mostBodyBytes,
  readingGate: createBodyGate({ smallBytes: 1_000, mostBytes }),
  gate: createBodyGate({ smallBytes: 1_000, mostBytes }),
});

describe('a large body', () => {
  it('is not read before there is room for it; then it is all there', async () => {
    const state = newState(100_000);
    const leave = await state.readingGate.enter(100_000, never);
    const body = Buffer.from(JSON.stringify({ text: 'ä'.repeat(40_000) }));
    const exchange = await sendOne(body);
    const read = readRequest(state, exchange);
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(exchange.incoming.readableDidRead).toBe(false);
    leave();
    expect((await read).bytes.equals(body)).toBe(true);
  });

  it('has its room until it is worked on, and room to be worked on until it leaves', async () => {
    const state = newState(100_000);
    const body = { text: 'x'.repeat(90_000) };
    const exchange = await sendOne(Buffer.from(JSON.stringify(body)));
    const read = await readRequest(state, exchange);
    const leaveOther = await state.gate.enter(100_000, never);
    const parsed = read.parse();
    const came: string[] = [];
    const nextToRead = state.readingGate.enter(50_000, never).then(() => came.push('to be read'));
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(came).toEqual([]);
    leaveOther();
    expect(await parsed).toEqual(body);
    await nextToRead;
    const nextToWorkOn = state.gate.enter(50_000, never).then(() => came.push('to be worked on'));
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(came).toEqual(['to be read']);
    exchange.leaveGate();
    await nextToWorkOn;
  });

  it('that is larger than any may be is refused before it is read, and waits for nobody', async () => {
    const state = newState(100_000, 50_000);
    await state.readingGate.enter(100_000, never);
    const exchange = await sendOne(Buffer.alloc(60_000));
    await expect(readRequest(state, exchange)).rejects.toMatchObject({ status: 413 });
    expect(exchange.incoming.readableDidRead).toBe(false);
  });

  it('of which nothing comes keeps nobody else waiting for as long as one that comes slowly', async () => {
    const state = newState(100_000);
    const silent = await sendOne(Buffer.from('{'), { 'content-length': 90_000 });
    readRequest(state, silent).catch(() => {});
    // Timers fire in their order, however busy the machine is.
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('late'), 700));
    const next = state.readingGate.enter(90_000, never).then(() => 'let in');
    expect(await Promise.race([next, late])).toBe('let in');
  });

  it('that does not say how large it is comes whole, or is refused when it is too large', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(200_000) }));
    const chunked = { 'transfer-encoding': 'chunked' };
    const exchange = await sendOne(body, chunked);
    expect((await readRequest(newState(1_000_000), exchange)).bytes.equals(body)).toBe(true);
    const other = await sendOne(body, chunked);
    await expect(readRequest(newState(1_000_000, 100_000), other)).rejects.toMatchObject({ status: 413 });
  });
});

describe('a body that does not say how large it will be', () => {
  const chunked = { 'transfer-encoding': 'chunked' };

  it('waits for room once it is large', async () => {
    const state = newState(1_000_000, 10_000_000);
    const leave = await state.readingGate.enter(1_000_000, never);
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(900_000) }));
    const exchange = await sendOne(body, chunked);
    let isRead = false;
    const read = readRequest(state, exchange).finally(() => {
      isRead = true;
    });
    await expect.poll(() => exchange.incoming.readableDidRead).toBe(true);
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(isRead).toBe(false);
    leave();
    expect((await read).bytes.equals(body)).toBe(true);
    // It has its room until it is worked on.
    let isNextIn = false;
    const next = state.readingGate.enter(1_000_000, never).then(() => {
      isNextIn = true;
    });
    await Promise.resolve();
    expect(isNextIn).toBe(false);
    exchange.leaveGate();
    await next;
  });

  it('waits for nobody while it is small', async () => {
    const state = newState(1_000_000);
    await state.readingGate.enter(1_000_000, never);
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000) }));
    expect((await readRequest(state, await sendOne(body, chunked))).bytes.equals(body)).toBe(true);
  });

  it('leaves no room taken where its client goes away while it waits', async () => {
    const state = newState(1_000_000, 10_000_000);
    const leave = await state.readingGate.enter(1_000_000, never);
    const exchange = await sendOne(Buffer.alloc(900_000, 'x'), chunked);
    const gone = new AbortController();
    const read = readRequest(state, { ...exchange, signal: gone.signal });
    const refused = expect(read).rejects.toThrow('gone');
    await expect.poll(() => exchange.incoming.readableDidRead).toBe(true);
    gone.abort(new Error('gone'));
    await refused;
    leave();
    await state.readingGate.enter(1_000_000, never);
  });

  it('needs room for what it becomes where it came compressed', async () => {
    const state = newState(1_000_000, 10_000_000);
    const leave = await state.readingGate.enter(900_000, never);
    const plain = Buffer.from(JSON.stringify({ texts: Array.from({ length: 20_000 }, (_, i) => `word ${i * 7919}`) }));
    const packed = gzipSync(plain);
    // As it came it would have room beside the other.
    expect(packed.length).toBeGreaterThan(20_000);
    expect(packed.length).toBeLessThan(100_000);
    const exchange = await sendOne(packed, { 'content-length': packed.length, 'content-encoding': 'gzip' });
    const read = readRequest(state, exchange);
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(exchange.incoming.readableDidRead).toBe(false);
    leave();
    expect((await read).plain?.equals(plain)).toBe(true);
  });
});

describe('the output that a body asks for', () => {
  it('is found without reading it, and is any where it is said again and again', () => {
    expect(peekOutputLimit(Buffer.from('{"max_tokens": 12, "x": "\\"max_tokens\\": 99"}'))).toBe(12);
    expect(peekOutputLimit(Buffer.from('"max'.repeat(1_000)))).toBe(0);
    expect(peekOutputLimit(Buffer.from('"max'.repeat(100_000)))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('clients that send slowly', () => {
  let upstream: RawUpstream;
  let gateway: Gateway;

  it('keep nobody else’s body from being read', async () => {
    upstream = await startUpstream((_, response) => answerJson(response, { content: [], usage: {} }));
    gateway = await startGateway({ upstreams: { '*': upstream.url } });
    ending.push(
      () => upstream.close(),
      () => gateway.close({ graceMs: 0 }),
    );
    const { port } = new URL(gateway.url);
    const send = (length: number) => {
      const headers = { 'content-type': 'application/json', 'content-length': length, 'x-api-key': 'k' };
      const sent = request({ port, host: '127.0.0.1', path: '/v1/messages', method: 'POST', headers });
      sent.on('error', () => {});
      ending.push(() => sent.destroy());
      return sent;
    };
    // Together they would fill all the room that there is, and they never end.
    for (let i = 0; i < 6; i++) send(6_000_000).write('{"model":"m","messages":[');
    const body = Buffer.from(
      JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(900_000) }] }),
    );
    send(body.length).end(body);
    const listPosted = () => upstream.arrived.filter(({ method }) => method === 'POST');
    await expect.poll(() => listPosted().map(({ bytes }) => sha256(bytes))).toEqual([sha256(body)]);
  });
});
