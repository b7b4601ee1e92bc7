import type { IncomingMessage } from 'node:http';
import { systemLoop } from '@palimpsest/core';
import { BodyError } from './body-error.ts';

/** How many bytes a request says that its body has; 0 where it does not say. Throws a `BodyError` where they are too many. */
export function readLength({ headers }: IncomingMessage, mostBytes: number): number {
  const length = Number(headers['content-length'] ?? 0);
  if (length > mostBytes) throw tooLarge(mostBytes);
  return length;
}

/** All bytes of a request, as they came. What says its length is written in its place as it comes, and never held twice. */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const length = readLength(incoming, mostBytes);
  const whole = length === 0 ? undefined : Buffer.allocUnsafeSlow(length);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (size + chunk.length > mostBytes) throw tooLarge(mostBytes);
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, size);
    size += chunk.length;
    // Meanwhile no more is read of this one: many large ones that arrive at once hold nobody up.
    if (systemLoop.isDue()) await systemLoop.turn();
  }
  if (whole !== undefined) return whole.subarray(0, size);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}

const tooLarge = (mostBytes: number): BodyError => new BodyError(413, `the body has more than ${mostBytes} bytes`);
