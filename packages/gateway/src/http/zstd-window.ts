const MAGIC = 0xfd2fb528;

/** How much memory the first frame of a zstd stream asks for: its window, or the size of its content where it has no window. */
export function readZstdWindow(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== MAGIC) return 0;
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  if (!isSingle) {
    const window = view.getUint8(5);
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const width = [1, 2, 4, 8][descriptor >> 6]!;
  if (bytes.length < at + width) return 0;
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
