import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSession, estimateMessage, type Message } from '@palimpsest/core';
import { palimpsest } from '@palimpsest/sdk/openai';
import { anthropicMessages, openaiChat, type Wire } from '@palimpsest/wire';
import type { Bench } from '../bench.ts';
import { findMedian } from '../figures.ts';
import { makeTraffic } from '../traffic.ts';

const VIEW_TOKENS = 200_000;
const RUNS = 15;
const STREAM_EVENTS = 20_000;

async function timeWork(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Both ways in turn, so that a busy moment hits both; the medians of their times in milliseconds. */
async function compareTimes(ours: () => unknown, baseline: () => unknown): Promise<readonly [number, number]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS + 3; run++) {
    const pair = [await timeWork(ours), await timeWork(baseline)] as const;
    if (run >= 3) for (const i of [0, 1] as const) times[i].push(pair[i]);
  }
  return [findMedian(times[0]), findMedian(times[1])];
}

/** A view of about so many tokens, as a session hands it out. */
async function makeLargeView() {
  const session = createSession({ window: VIEW_TOKENS * 4, layers: [] });
  let tokens = 0;
  for (const turn of makeTraffic(1)) {
    for (const message of turn) {
      session.append(message);
      tokens += estimateMessage({ origin: 'model', id: '', ...message });
    }
    if (tokens >= VIEW_TOKENS) break;
  }
  return session.view();
}

interface Encoding {
  readonly wire: string;
  readonly oursMs: number;
  /** Over a body that the view came from. */
  readonly againMs: number;
  readonly stringifyMs: number;
}

interface PassThrough {
  readonly megabytes: number;
  readonly oursMs: number;
  readonly bareMs: number;
}

interface Seen {
  readonly tokens: number;
  readonly messages: number;
  readonly encodings: readonly Encoding[];
  readonly passThrough: PassThrough;
}

/** Encoding a large view, and passing a stream on, each beside the least that could be done. It has no bars. */
export const wireBench: Bench<Seen> = {
  name: 'wire',
  async run() {
    const view = await makeLargeView();
    const encodings: Encoding[] = [];
    for (const wire of WIRES) encodings.push(await measureEncoding(wire, view.messages));
    const passThrough = await measurePassThrough();
    return { tokens: view.tokens, messages: view.messages.length, encodings, passThrough };
  },
  print({ tokens, messages, encodings, passThrough }, print) {
    print(`encode: a view of ${tokens} tokens in ${messages} messages, beside JSON.stringify of the same body.`);
    for (const { wire, oursMs, againMs, stringifyMs } of encodings)
      print(
        `  ${wire}: ${oursMs.toFixed(2)} ms from nothing, ${againMs.toFixed(2)} ms over a body it came from, JSON.stringify ${stringifyMs.toFixed(2)} ms: ${(oursMs / stringifyMs).toFixed(1)}x and ${(againMs / stringifyMs).toFixed(1)}x`,
      );
    const { megabytes, oursMs, bareMs } = passThrough;
    print(
      `pass-through: ${megabytes.toFixed(1)} MB of SSE in ${oursMs.toFixed(0)} ms (${((megabytes / oursMs) * 1_000).toFixed(0)} MB/s), bare fetch ${bareMs.toFixed(0)} ms: ${(oursMs / bareMs).toFixed(2)}x`,
    );
    return true;
  },
};

type AnyWire = Wire<{ messages: readonly unknown[] }>;
const WIRES = [anthropicMessages, openaiChat] as readonly unknown[] as readonly AnyWire[];

async function measureEncoding(wire: AnyWire, messages: readonly Message[]): Promise<Encoding> {
  const template = { model: 'm', max_tokens: 1_000, messages: [] };
  const { body } = wire.encode(messages, template);
  const [oursMs, stringifyMs] = await compareTimes(
    () => wire.encode(messages, template),
    () => JSON.stringify(body),
  );
  const [againMs] = await compareTimes(
    () => wire.encode(messages, body),
    () => undefined,
  );
  return { wire: wire.name, oursMs, againMs, stringifyMs };
}

/** A stream of chat events through the integration, beside the same stream read by fetch alone. */
async function measurePassThrough(): Promise<PassThrough> {
  const event = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'some words ' }, finish_reason: null }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < STREAM_EVENTS; i++) response.write(event);
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  };
  const kept = palimpsest({ window: 100_000 });
  const read = async (send: typeof fetch): Promise<void> => void (await (await send(url, init)).arrayBuffer());
  const [oursMs, bareMs] = await compareTimes(
    () => read(kept),
    () => read(fetch),
  );
  server.closeAllConnections();
  server.close();
  return { megabytes: (event.length * STREAM_EVENTS) / 1e6, oursMs, bareMs };
}
