import { nextToken, type TokenScan } from '../evidence/scan-tokens.ts';

/** Some tokens of a text, one behind the other. */
export interface TokenBatch {
  size: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly behinds: Int32Array;
  readonly hashes: Int32Array;
  /** Says nothing: something must be done with what was looked at, or nothing would be. */
  touched: number;
}

/** What is known of so many stays in the processor's memory until they are done with. */
const mostTokens = 256;

export const newTokenBatch = (): TokenBatch => ({
  size: 0,
  starts: new Int32Array(mostTokens),
  ends: new Int32Array(mostTokens),
  behinds: new Int32Array(mostTokens),
  hashes: new Int32Array(mostTokens),
  touched: 0,
});

/** Goes on in a text by as many tokens as there is room for; none at its end. */
export function fillBatch(batch: TokenBatch, scan: TokenScan): void {
  const { starts, ends, behinds, hashes } = batch;
  let size = 0;
  while (size < mostTokens && nextToken(scan)) {
    starts[size] = scan.start;
    ends[size] = scan.end;
    behinds[size] = scan.behind;
    hashes[size++] = scan.hash;
  }
  batch.size = size;
}
