import type { IncomingMessage } from 'node:http';
import { systemLoop } from '@palimpsest/core';
import { BodyError } from './body-error.ts';

/** All bytes of a request, as they came. */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new BodyError(413, `the body has more than ${mostBytes} bytes`);
    chunks.push(chunk);
    // Meanwhile no more is read of this one: many large ones that arrive at once hold nobody up.
    if (systemLoop.isDue()) await systemLoop.turn();
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}
