import type { IncomingMessage } from 'node:http';
import { systemLoop } from '@palimpsest/core';
import { BodyError } from './body-error.ts';

/** How many bytes a request says that its body has; undefined where it does not say. Throws a `BodyError` where they are too many. */
export function readLength({ headers }: IncomingMessage, mostBytes: number): number | undefined {
  const stated = headers['content-length'];
  if (stated === undefined) return undefined;
  if (Number(stated) > mostBytes) throw tooLarge(mostBytes);
  return Number(stated);
}

export interface ReadBodyOptions {
  readonly mostBytes: number;
  /** Waited for before more than so many bytes of a body are read that does not say how many it has. */
  readonly unstated: { readonly bytes: number; readonly beforeMore: () => Promise<void> };
  /** Called whenever some of it came. */
  readonly onChunk?: () => void;
}

/** All bytes of a request, as they came. What says its length is written in its place as it comes, and never held twice. */
export async function readBody(
  incoming: IncomingMessage,
  { mostBytes, unstated, onChunk }: ReadBodyOptions,
): Promise<Buffer> {
  const length = readLength(incoming, mostBytes);
  const whole = length === undefined ? undefined : Buffer.allocUnsafeSlow(length);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    onChunk?.();
    const before = size;
    size += chunk.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, before);
    if (whole === undefined && before <= unstated.bytes && size > unstated.bytes) await unstated.beforeMore();
    // Meanwhile no more is read of this one: many large ones that arrive at once hold nobody up.
    if (systemLoop.isDue()) await systemLoop.turn();
  }
  if (whole !== undefined) return whole.subarray(0, size);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}

const tooLarge = (mostBytes: number): BodyError => new BodyError(413, `the body has more than ${mostBytes} bytes`);
