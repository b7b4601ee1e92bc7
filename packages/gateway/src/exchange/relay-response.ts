import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Dialect } from '../dialects/dialect.ts';
import { createEventCutter } from '../http/event-cutter.ts';
import { findHeader, omitHeaders, omitHopByHop } from '../http/raw-headers.ts';
import type { Inbound } from '../http/send-upstream.ts';
import { cutClient } from './answer-client.ts';
import type { Exchange } from './exchange.ts';

export interface RelayOptions {
  readonly dialect: Dialect;
  readonly pingMs: number;
  /** Reads along: chunks as they come, and of a stream of events whole ones. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined;
  /** Called with what was read when nothing more comes, or nobody reads it any more. */
  readonly onEnd?: (() => void) | undefined;
}

/** True for a stream of events that can be read as it is. */
export const isEventStream = ({ headers }: Inbound): boolean =>
  /^text\/event-stream/i.test(findHeader(headers, 'content-type') ?? '');

export const isCoded = ({ headers }: Inbound): boolean =>
  !/^(?:identity)?$/i.test((findHeader(headers, 'content-encoding') ?? '').trim());

const NOTHING = Buffer.alloc(0);
/** A ping, an error or another round may come into a stream of events: a length that was stated would be wrong. */
const SIZED = new Set(['content-length']);

/** The head as the upstream wrote it, and the gateway's own headers behind it. */
export function writeHead(exchange: Exchange, inbound: Inbound, headers = omitHopByHop(inbound.headers)): void {
  const { outgoing, ownHeaders, line } = exchange;
  line.status = inbound.status;
  line.firstByteMs ??= exchange.elapsedMs();
  // Proxies in front of us would gather a stream until it is over.
  const unbuffered =
    isEventStream(inbound) && findHeader(headers, 'x-accel-buffering') === undefined ? ['X-Accel-Buffering', 'no'] : [];
  const sent = isEventStream(inbound) && !isCoded(inbound) ? omitHeaders(headers, SIZED) : headers;
  outgoing.writeHead(inbound.status, [...sent, ...unbuffered, ...ownHeaders] as never);
  // Sent now. With a text behind it, as flushHeaders does it, a head would go out as UTF-8 instead of as it came.
  outgoing.write(NOTHING);
}

/** The upstream's answer, byte for byte and as it comes. */
export async function relayResponse(exchange: Exchange, inbound: Inbound, options: RelayOptions): Promise<void> {
  writeHead(exchange, inbound);
  try {
    if (isEventStream(inbound) && !isCoded(inbound)) await relayEvents(exchange, inbound, options);
    else await relayBytes(exchange, inbound, options);
  } finally {
    options.onEnd?.();
  }
}

async function relayBytes(exchange: Exchange, inbound: Inbound, options: RelayOptions): Promise<void> {
  try {
    for await (const chunk of inbound.body) {
      options.onChunk?.(chunk);
      if (!(await writeChunk(exchange, chunk))) return;
    }
    exchange.outgoing.end();
  } catch (error) {
    cutClient(exchange, 'upstream', error);
  }
}

async function relayEvents(exchange: Exchange, inbound: Inbound, options: RelayOptions): Promise<void> {
  const { onChunk } = options;
  const cutter = createEventCutter();
  const pings = startPings(exchange, options);
  try {
    for await (const chunk of inbound.body) {
      const whole = cutter.cut(chunk);
      if (whole === undefined) continue;
      onChunk?.(whole);
      pings.put();
      if (!(await writeChunk(exchange, whole))) return;
    }
    const rest = cutter.rest();
    if (rest !== undefined) await writeChunk(exchange, rest);
    exchange.outgoing.end();
  } catch (error) {
    cutClient(exchange, 'upstream', error);
  } finally {
    pings.stop();
  }
}

/** False: nobody reads any more. */
export async function writeChunk({ outgoing, line, signal }: Exchange, chunk: Buffer | string): Promise<boolean> {
  if (outgoing.destroyed || signal.aborted) return false;
  line.bytesOut += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (outgoing.write(chunk)) return true;
  await waitForDrain(outgoing, signal);
  return !signal.aborted;
}

async function waitForDrain(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(outgoing, 'drain', { signal }).catch(() => {});
}

export interface Pings {
  /** Something went out. */
  put(): void;
  stop(): void;
}

/** During a long silence the client's side of the connection is kept alive; only ever between two events. */
export function startPings({ outgoing }: Exchange, { dialect: { ping }, pingMs }: RelayOptions): Pings {
  if (ping === undefined) return { put: () => {}, stop: () => {} };
  const timer = setInterval(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(ping);
  }, pingMs);
  return { put: () => timer.refresh(), stop: () => clearInterval(timer) };
}
