import type { ServerResponse } from 'node:http';
import type { Sending, SseEvent } from '../api/sending.ts';
import type { SimClock } from '../clock.ts';
import type { FaultKind } from '../faults/fault-schedule.ts';

const frameEvent = ({ name, data }: SseEvent): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;

const SLOW_PIECES = 8;

export interface Carriage {
  readonly fault: FaultKind | undefined;
  readonly slowMs: number;
  readonly clock: SimClock;
  /** Called before the last bytes go out: a client may act on them before they are known to have arrived. */
  beforeLast(): void;
}

/** Writes an answer to the socket, or as much of it as the fault lets through. True where the client got all of it. */
export async function transmit(out: ServerResponse, sending: Sending, carriage: Carriage): Promise<boolean> {
  const { fault, slowMs, clock, beforeLast } = carriage;
  if (fault === 'early-close') return breakConnection(out);
  const isEvents = sending.body.type === 'events';
  const chunks =
    sending.body.type === 'events' ? sending.body.events.map(frameEvent) : [JSON.stringify(sending.body.value)];
  out.writeHead(sending.status, {
    'content-type': isEvents ? 'text/event-stream; charset=utf-8' : 'application/json',
    ...(isEvents ? { 'cache-control': 'no-cache' } : { 'content-length': String(Buffer.byteLength(chunks[0]!)) }),
    ...sending.headers,
  });
  if (fault === 'cut-stream') {
    await write(out, takeHalf(chunks));
    return breakConnection(out);
  }
  const isSlow = fault === 'slow-bytes';
  const parts = isSlow ? sliceBytes(Buffer.from(chunks.join('')), SLOW_PIECES) : chunks.flatMap(splitLarge);
  for (const [i, part] of parts.entries()) {
    if (isSlow) await clock.wait(slowMs);
    if (out.destroyed) return false;
    if (i === parts.length - 1) return finish(out, part, beforeLast);
    if (!(await write(out, part))) return false;
  }
  return false;
}

const finish = (out: ServerResponse, part: string | Uint8Array, beforeLast: () => void): Promise<boolean> =>
  new Promise((resolve) => {
    beforeLast();
    out.once('close', () => resolve(out.writableFinished));
    out.end(part);
  });

/** The bytes are on their way before the next step is taken, so that a cut is a cut inside the answer. False: they never went. */
const write = (out: ServerResponse, chunk: string | Uint8Array): Promise<boolean> =>
  new Promise((resolve) => {
    if (out.destroyed) return resolve(false);
    out.write(chunk, (error) => resolve(!error && !out.destroyed));
  });

function breakConnection(out: ServerResponse): boolean {
  out.socket?.destroy();
  return false;
}

/** Some whole events and the beginning of one more. */
const takeHalf = (chunks: readonly string[]): string => {
  const whole = chunks.join('');
  return whole.slice(0, Math.ceil(whole.length / 2));
};

/** The most that is written at once. Of more, which the client left unread, the socket says all the same that it went. */
const MOST_AT_ONCE = 65_536;

function splitLarge(chunk: string): readonly (string | Uint8Array)[] {
  const bytes = Buffer.byteLength(chunk);
  return bytes <= MOST_AT_ONCE ? [chunk] : sliceBytes(Buffer.from(chunk), Math.ceil(bytes / MOST_AT_ONCE));
}

function sliceBytes(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
