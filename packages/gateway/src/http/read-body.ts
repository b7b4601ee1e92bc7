import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BodyError } from './body-error.ts';

/**
 * Reads all bytes of a request into memory that worker threads can share. Waits for the event loop after every chunk, so many large
 * bodies at once do not block other requests.
 */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const length = Number(incoming.headers['content-length'] ?? Number.NaN);
  if (length > mostBytes) throw tooLarge(mostBytes);
  let bytes = allocateShared(Number.isNaN(length) ? FIRST_BYTES : length);
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    const end = size + chunk.length;
    if (end > mostBytes) throw tooLarge(mostBytes);
    if (end > bytes.length) bytes = copyShared(bytes, Math.max(end, bytes.length * 2));
    size = size + chunk.copy(bytes, size);
    if (size !== length) await nextTurn();
  }
  return bytes.subarray(0, size);
}

const FIRST_BYTES = 2 ** 16;

const allocateShared = (bytes: number): Buffer => Buffer.from(new SharedArrayBuffer(bytes));

function copyShared(bytes: Buffer, length: number): Buffer {
  const copy = allocateShared(length);
  bytes.copy(copy);
  return copy;
}

const tooLarge = (mostBytes: number): BodyError => new BodyError(413, `the body has more than ${mostBytes} bytes`);
