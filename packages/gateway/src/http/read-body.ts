import type { IncomingMessage } from 'node:http';
import { BodyError } from './body-error.ts';
import { giveWay } from './give-way.ts';

/** All bytes of a request, as they came. What says its length is written in its place as it comes, and never held twice. */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const length = readLength(incoming, mostBytes);
  const whole = length === undefined ? undefined : Buffer.allocUnsafeSlow(length);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    const before = size;
    size += chunk.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, before);
    // Meanwhile no more is read of this one: many large ones that arrive at once hold nobody up.
    await giveWay();
  }
  return whole === undefined ? Buffer.concat(chunks, size) : whole.subarray(0, size);
}

/** How many bytes a request says that its body has; undefined where it does not say. */
function readLength({ headers }: IncomingMessage, mostBytes: number): number | undefined {
  const stated = headers['content-length'];
  if (stated === undefined) return undefined;
  if (Number(stated) > mostBytes) throw tooLarge(mostBytes);
  return Number(stated);
}

const tooLarge = (mostBytes: number): BodyError => new BodyError(413, `the body has more than ${mostBytes} bytes`);
