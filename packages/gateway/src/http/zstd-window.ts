const MAGIC = 0xfd2fb528;
/** Frames that hold nothing for the decoder begin with one of sixteen numbers, of which this is the first. */
const SKIPPED = 0x184d2a50;
const SKIPPED_HEAD = 8;
const RLE = 1;
const CHECKSUM_BYTES = 4;

interface Frame {
  readonly window: number;
  /** Where its blocks begin, or the next frame where it has none. */
  readonly blocksAt: number;
  readonly hasChecksum: boolean;
}

/**
 * How much memory a zstd stream asks for at most: the largest window of its frames, or the size of a frame's content where that has no
 * window. What is no frame ends it; the decoder says what that is.
 */
export function readZstdWindow(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let most = 0;
  for (let at = 0; at + SKIPPED_HEAD <= bytes.length; ) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === SKIPPED >>> 4) {
      at += SKIPPED_HEAD + view.getUint32(at + 4, true);
      continue;
    }
    const frame = magic === MAGIC ? readFrame(view, at) : undefined;
    if (frame === undefined) break;
    most = Math.max(most, frame.window);
    at = skipBlocks(view, frame.blocksAt) + (frame.hasChecksum ? CHECKSUM_BYTES : 0);
  }
  return most;
}

function readFrame(view: DataView, from: number): Frame | undefined {
  const descriptor = view.getUint8(from + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  const width = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const at = from + 5 + (isSingle ? 0 : 1) + dictionary;
  const blocksAt = at + width;
  if (blocksAt > view.byteLength) return undefined;
  const window = isSingle ? readSize(view, at, width) : readWindow(view.getUint8(from + 5));
  return { window, blocksAt, hasChecksum };
}

function readWindow(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

function readSize(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

/** Behind the last block. Each says in three bytes whether it is the last, what it is, and how long. */
function skipBlocks(view: DataView, from: number): number {
  for (let at = from; at + 3 <= view.byteLength; ) {
    const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    at += 3 + (((head >> 1) & 3) === RLE ? 1 : head >> 3);
    if ((head & 1) === 1) return at;
  }
  return view.byteLength;
}
