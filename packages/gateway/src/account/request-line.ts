import type { MissingText } from '@palimpsest/core';

/** All that is told about a request when it is over: one line of log. Nothing of it is a secret or a word of the conversation. */
export interface RequestLine {
  readonly id: string;
  readonly at: number;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  upstream?: string;
  model?: string;
  /** The first characters of the tenant's hash. */
  tenant?: string;
  session?: string;
  status: number;
  /** Until the answer's first byte, and until its last. */
  firstByteMs?: number;
  totalMs: number;
  /** What of it was spent in the gateway before the request went on. */
  overheadMs?: number;
  bytesIn: number;
  bytesOut: number;
  /** Of all that was said in the conversation, and of what of it went on. */
  tokens?: { readonly before: number; readonly after: number };
  /** As the provider reported them. */
  usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  compacted?: true;
  /** Of the view before this compaction and behind it, as the receipt and the inspector state it. */
  compaction?: { readonly before: number; readonly after: number };
  /** How many texts that users or clients wrote went on other than as they were written, by the reason. */
  missing?: Readonly<Partial<Record<MissingText['reason'], number>>>;
  /** Lookups that were answered inside. */
  recalls?: number;
  /** Why the request went on as it came though it could be too long: something inside went wrong, or it cannot be kept. */
  passed?: string;
  /** The window that the client's system prompt and tools nearly fill, in words: no compaction helps there. */
  crowded?: string;
  /** Who ended it before its time. Where the upstream or the gateway broke off in mid-answer, the client's connection was cut. */
  ended?: 'client' | 'upstream' | 'gateway';
  /** The code of the error that ended it. */
  cause?: string;
}
