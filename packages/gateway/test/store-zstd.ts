const MOST_BLOCK = 128 * 1024;

/** Bytes as a zstd frame of raw blocks: what every decoder takes, made without an encoder. */
export function storeZstd(bytes: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  // One segment, and its size in four bytes.
  head.writeUInt8(0b1010_0000, 4);
  head.writeUInt32LE(bytes.length, 5);
  const blocks: Buffer[] = [head];
  for (let at = 0; at === 0 || at < bytes.length; at += MOST_BLOCK) {
    const block = bytes.subarray(at, at + MOST_BLOCK);
    const isLast = at + MOST_BLOCK >= bytes.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(header, block);
  }
  return Buffer.concat(blocks);
}

/** A few bytes that claim to become `size`: one block that repeats a byte, again and again. */
export function bombZstd(size: number): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(0xfd2fb528, 0);
  // No single segment: a window of one megabyte, and no size at all.
  head.writeUInt8(0, 4);
  head.writeUInt8(10 << 3, 5);
  const blocks: Buffer[] = [head];
  for (let made = 0; made < size; made += MOST_BLOCK) {
    const block = Buffer.alloc(4);
    block.writeUIntLE((MOST_BLOCK << 3) | (1 << 1) | (made + MOST_BLOCK >= size ? 1 : 0), 0, 3);
    block.writeUInt8(0x20, 3);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}
