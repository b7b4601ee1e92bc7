import type { RequestLine } from './request-line.ts';

/** What one request of a conversation used, to be written down. Nothing of it is a secret or a word of the conversation. */
export interface UsageRow {
  readonly id: string;
  /** The whole keyed hash of whose it is. */
  readonly tenant: string;
  readonly at: number;
  readonly session: string | undefined;
  readonly upstream: string | undefined;
  readonly model: string | undefined;
  /** 0 where there was no answer. */
  readonly status: number;
  /** As the provider reported them, all rounds of lookups together. */
  readonly input: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly output: number | undefined;
  /** Of the body as it came and as it went. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  readonly compacted: boolean;
  readonly overheadMs: number | undefined;
}

export const makeUsageRow = (line: RequestLine, tenant: string): UsageRow => ({
  id: line.id,
  tenant,
  at: line.at,
  session: line.session,
  upstream: line.upstream,
  model: line.model,
  status: line.status,
  input: line.usage?.input,
  cacheRead: line.usage?.cacheRead,
  cacheWrite: line.usage?.cacheWrite,
  output: line.usage?.output,
  tokensBefore: line.tokens?.before,
  tokensAfter: line.tokens?.after,
  compacted: line.compacted === true,
  overheadMs: line.overheadMs,
});
