import { deflateSync } from 'node:zlib';
import type { MediaPart } from '@palimpsest/core';

const WIDTH = 240;
const HEIGHT = 400;

/** A screenshot of a page with `lines` grey bars on it: a real PNG, one bit a pixel. */
export function screenshot(name: string, lines: number): MediaPart {
  const data = png(WIDTH, HEIGHT, (x, y) => y % 16 < 8 && y < lines * 16 && x > 12 && x < 60 + (((y >> 4) * 37) % 170));
  return { type: 'media', kind: 'image', mediaType: 'image/png', data, name, width: WIDTH, height: HEIGHT };
}

function png(width: number, height: number, isDark: (x: number, y: number) => boolean): string {
  const stride = Math.ceil(width / 8) + 1;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * stride + 1 + (x >> 3);
      if (!isDark(x, y)) pixels[at] = pixels[at]! | (0x80 >> (x & 7));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    // Stored, not squeezed: what zlib makes of it differs between its versions.
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(body.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** The checksum a PNG chunk ends with; node:zlib has it only from version 22 on. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
