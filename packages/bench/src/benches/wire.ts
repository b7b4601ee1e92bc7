import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSession, estimateMessage } from '@palimpsest/core';
import { anthropicMessages, openaiChat, type Wire } from '@palimpsest/wire';
import { palimpsest } from '@palimpsest/wire/openai';
import type { Bench } from '../bench.ts';
import { traffic } from '../traffic.ts';

const VIEW_TOKENS = 200_000;
const RUNS = 15;
const STREAM_EVENTS = 20_000;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Both ways in turn, so that a busy moment hits both; the medians of their times in milliseconds. */
async function sideBySide(ours: () => unknown, baseline: () => unknown): Promise<readonly [number, number]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS + 3; run++) {
    const pair = [await timed(ours), await timed(baseline)] as const;
    if (run >= 3) for (const i of [0, 1] as const) times[i].push(pair[i]);
  }
  return [median(times[0]), median(times[1])];
}

/** A view of about so many tokens, as a session hands it out. */
async function largeView() {
  const session = createSession({ window: VIEW_TOKENS * 4, layers: [] });
  let tokens = 0;
  for (const turn of traffic(1)) {
    for (const message of turn) {
      session.append(message);
      tokens += estimateMessage({ origin: 'model', id: '', ...message });
    }
    if (tokens >= VIEW_TOKENS) break;
  }
  return session.view();
}

/** Encoding a large view, and passing a stream on, each beside the least that could be done. */
export const wireBench: Bench = async (print) => {
  const view = await largeView();
  print(
    `encode: a view of ${view.tokens} tokens in ${view.messages.length} messages, beside JSON.stringify of the same body.`,
  );
  const wires = [anthropicMessages, openaiChat] as readonly unknown[] as readonly Wire<{
    messages: readonly unknown[];
  }>[];
  for (const wire of wires) {
    const template = { model: 'm', max_tokens: 1_000, messages: [] };
    const { body } = wire.encode(view.messages, template);
    const [ours, stringify] = await sideBySide(
      () => wire.encode(view.messages, template),
      () => JSON.stringify(body),
    );
    const [again] = await sideBySide(
      () => wire.encode(view.messages, body),
      () => undefined,
    );
    print(
      `  ${wire.name}: ${ours.toFixed(2)} ms from nothing, ${again.toFixed(2)} ms over a body it came from, JSON.stringify ${stringify.toFixed(2)} ms: ${(ours / stringify).toFixed(1)}x and ${(again / stringify).toFixed(1)}x`,
    );
  }
  await passThrough(print);
  return true;
};

/** A stream of chat events through the integration, beside the same stream read by fetch alone. */
async function passThrough(print: (line: string) => void): Promise<void> {
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
  const [ours, bare] = await sideBySide(
    () => read(kept),
    () => read(fetch),
  );
  const megabytes = (event.length * STREAM_EVENTS) / 1e6;
  print(
    `pass-through: ${megabytes.toFixed(1)} MB of SSE in ${ours.toFixed(0)} ms (${((megabytes / ours) * 1_000).toFixed(0)} MB/s), bare fetch ${bare.toFixed(0)} ms: ${(ours / bare).toFixed(2)}x`,
  );
  server.closeAllConnections();
  server.close();
}
