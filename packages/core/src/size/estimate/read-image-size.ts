export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** More segments than any camera writes before the frame header of a JPEG. */
const MAX_SEGMENTS = 200;

/**
 * An image's size from the first bytes of its base64, or nothing where it is cut off, corrupt or of a format other than PNG,
 * JPEG, GIF and WebP. Only the bytes that are needed are decoded.
 */
export function readImageSize(data: string): ImageSize | undefined {
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0;
  const readByte = (at: number): number => decodeByte(data, start, at);
  const readBig = (at: number, count: number): number => readBytes(readByte, at, count, false);
  const readLittle = (at: number, count: number): number => readBytes(readByte, at, count, true);
  switch (readBig(0, 4)) {
    case 0x89504e47:
      return toSize(readBig(16, 4), readBig(20, 4));
    case 0x47494638:
      return toSize(readLittle(6, 2), readLittle(8, 2));
    case 0x52494646:
      return readWebpSize(readBig, readLittle);
  }
  return readBig(0, 2) === 0xffd8 ? readJpegSize(readBig) : undefined;
}

type Read = (at: number, count: number) => number;

function readWebpSize(big: Read, little: Read): ImageSize | undefined {
  if (big(8, 4) !== 0x57454250) return undefined;
  switch (big(12, 4)) {
    case 0x56503820: {
      // Lossy: 14 bits each, above them a scale that viewers ignore.
      const width = little(26, 2);
      const height = little(28, 2);
      return width < 0 || height < 0 ? undefined : toSize(width & 0x3fff, height & 0x3fff);
    }
    case 0x5650384c: {
      // Lossless: 14 bits each, one less than the size.
      const low = little(21, 2);
      const high = little(23, 2);
      if (low < 0 || high < 0) return undefined;
      return toSize((low & 0x3fff) + 1, (((high << 2) | (low >> 14)) & 0x3fff) + 1);
    }
    case 0x56503858: {
      // Extended: 24 bits each, one less than the size.
      const width = little(24, 3);
      const height = little(27, 3);
      return width < 0 || height < 0 ? undefined : toSize(width + 1, height + 1);
    }
  }
  return undefined;
}

function readJpegSize(big: Read): ImageSize | undefined {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    if (big(at, 1) !== 0xff) return undefined;
    const marker = big(at + 1, 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return toSize(big(at + 7, 2), big(at + 5, 2));
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      const length = big(at + 2, 2);
      if (marker < 0 || marker === 0xd9 || marker === 0xda || length < 2) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

const toSize = (width: number, height: number): ImageSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined;

/** A number of `count` bytes, or −1 where a byte is missing. */
function readBytes(byte: (at: number) => number, at: number, count: number, little: boolean): number {
  let value = 0;
  for (let index = 0; index < count; index++) {
    const next = byte(at + (little ? count - 1 - index : index));
    if (next < 0) return -1;
    value = value * 256 + next;
  }
  return value;
}

/** One byte of base64 (either alphabet) that begins at `start`, or −1. */
function decodeByte(data: string, start: number, at: number): number {
  const first = start + Math.floor(at / 3) * 4 + (at % 3);
  const high = decodeSextet(data.charCodeAt(first));
  const low = decodeSextet(data.charCodeAt(first + 1));
  if (high < 0 || low < 0) return -1;
  const shift = 2 * (at % 3);
  return ((high << (2 + shift)) | (low >> (4 - shift))) & 0xff;
}

function decodeSextet(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit - 65;
  if (unit >= 97 && unit <= 122) return unit - 71;
  if (unit >= 48 && unit <= 57) return unit + 4;
  if (unit === 43 || unit === 45) return 62;
  return unit === 47 || unit === 95 ? 63 : -1;
}
