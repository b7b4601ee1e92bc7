import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Decompress } from 'fzstd';
import { BodyError } from './body-error.ts';
import { readZstdWindow } from './zstd-window.ts';

type Inflate = (bytes: Uint8Array, mostBytes: number) => Promise<Buffer>;

const byZlib =
  (run: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>): Inflate =>
  (bytes, mostBytes) =>
    run(bytes, { maxOutputLength: mostBytes });

const CODINGS: Readonly<Record<string, Inflate>> = {
  gzip: byZlib(promisify(gunzip)),
  'x-gzip': byZlib(promisify(gunzip)),
  deflate: inflateEither,
  br: byZlib(promisify(brotliDecompress)),
  zstd: inflateZstd,
};

/**
 * A body without its content codings, for looking into it. Undefined: a coding that is not known here, so the body can only be
 * passed on. More than `mostBytes` are never made of it, however small it came.
 */
export async function inflateBody(bytes: Buffer, coding: string, mostBytes: number): Promise<Buffer | undefined> {
  const names = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  let plain = bytes;
  for (const name of names.toReversed()) {
    const run = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
    if (run === undefined) return undefined;
    plain = await run(plain, mostBytes).catch((error: unknown) => throwBodyError(error, name, mostBytes));
  }
  return plain;
}

function throwBodyError(error: unknown, name: string, mostBytes: number): never {
  if (error instanceof BodyError) throw error;
  const isTooLarge = error instanceof RangeError || (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
  if (isTooLarge) throw new BodyError(413, `the body has more than ${mostBytes} bytes when it is decompressed`);
  throw new BodyError(400, `the body is no ${name}: ${error instanceof Error ? error.message : String(error)}`);
}

/** With the head that the standard asks for, or without it, as some clients send it. */
function inflateEither(bytes: Uint8Array, mostBytes: number): Promise<Buffer> {
  const [first = 0, second = 0] = bytes;
  const hasHead = (first & 0x0f) === DEFLATE && (first * 256 + second) % 31 === 0;
  return byZlib(promisify(hasHead ? inflate : inflateRaw))(bytes, mostBytes);
}

const DEFLATE = 8;

/** So many bytes are put into the decoder at once, fewer where more than `made` come out. */
const PIECE = { least: 64, most: 2 ** 16, made: 2 ** 17 };

async function inflateZstd(bytes: Uint8Array, mostBytes: number): Promise<Buffer> {
  // What a frame states, the decoder allocates before it has read a byte more.
  if (readZstdWindow(bytes) > mostBytes)
    throw new BodyError(413, `the body has more than ${mostBytes} bytes when it is decompressed`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const decoder = new Decompress((chunk) => {
    size += chunk.length;
    if (size > mostBytes) throw new RangeError('too large');
    // The decoder goes on to use its own memory.
    chunks.push(chunk.slice());
  });
  let piece = PIECE.least;
  for (let at = 0; at === 0 || at < bytes.length; ) {
    const before = size;
    const end = at + piece;
    decoder.push(bytes.subarray(at, end), end >= bytes.length);
    at = end;
    // A few bytes may become a great many.
    piece = size - before > PIECE.made ? Math.max(PIECE.least, piece >> 1) : Math.min(PIECE.most, piece << 1);
  }
  return Buffer.concat(chunks, size);
}
