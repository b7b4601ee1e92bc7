import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflateBody } from '../src/http/inflate-body.ts';
import { bombZstd, storeZstd } from './store-zstd.ts';

const MOST = 1_000_000;
const text = Buffer.from('some words 日本語 '.repeat(500));

describe('rule 7: compressed bodies', () => {
  it('are looked into in every coding that clients use, also two at once', async () => {
    const packed = {
      gzip: gzipSync(text),
      deflate: deflateSync(text),
      // As some clients understand that word, and servers take it.
      'deflate ': deflateRawSync(text),
      br: brotliCompressSync(text),
      zstd: storeZstd(text),
    };
    for (const [coding, bytes] of Object.entries(packed))
      expect((await inflateBody(bytes, coding, MOST))?.equals(text), coding).toBe(true);
    expect(await inflateBody(gzipSync(storeZstd(text)), 'zstd, GZIP', MOST)).toEqual(text);
    expect(await inflateBody(text, 'identity', MOST)).toBe(text);
    expect(await inflateBody(text, 'lz99', MOST)).toBeUndefined();
  });

  it('that would grow beyond the limit are refused before they have', async () => {
    const large = Buffer.alloc(50_000_000);
    const bombs = {
      gzip: gzipSync(large),
      br: brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      zstd: bombZstd(50_000_000),
    };
    for (const [coding, bytes] of Object.entries(bombs)) {
      expect(bytes.length, coding).toBeLessThan(100_000);
      await expect(inflateBody(bytes, coding, MOST), coding).rejects.toMatchObject({ status: 413 });
    }
    const claims = storeZstd(Buffer.from('small'));
    claims.writeUInt32LE(2_000_000_000, 5);
    // A window of a gigabyte, and one empty block.
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3, 1, 0, 0]);
    const skipped = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
    const before = [Buffer.alloc(0), skipped, storeZstd(Buffer.from('small')), bombZstd(300_000)];
    for (const lead of [...before, Buffer.concat([...before, ...before])])
      for (const one of [claims, wide])
        await expect(inflateBody(Buffer.concat([lead, one]), 'zstd', 2 * MOST)).rejects.toMatchObject({ status: 413 });
    expect(await inflateBody(Buffer.concat(before), 'zstd', 2 * MOST)).toHaveLength(5 + 3 * 2 ** 17);
  });

  it('that are damaged are told so', async () => {
    for (const coding of ['gzip', 'br', 'zstd', 'deflate'])
      await expect(inflateBody(Buffer.from('no such thing'), coding, MOST), coding).rejects.toMatchObject({
        status: 400,
      });
  });
});
