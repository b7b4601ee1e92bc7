const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

/** Short strings are looked through here, long ones from quote to quote. */
const SHORT_BYTES = 32;

/** Behind the string of a JSON text that begins at `from`; behind the text where it does not end. */
export function findStringEnd(bytes: Buffer, from: number): number {
  let at = from + 1;
  for (const most = at + SHORT_BYTES; at < most; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  for (; ; at++) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length + 1;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}
