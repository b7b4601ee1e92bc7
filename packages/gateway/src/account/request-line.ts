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
  /** Of the body as it came and as it went. */
  tokens?: { readonly before: number; readonly after: number };
  /** As the provider reported them. */
  usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  compacted?: true;
  /** Lookups that were answered inside. */
  recalls?: number;
  /** Set where something inside went wrong and the request went through as it came: what. */
  passed?: string;
  /** Who ended it before its time. Where the upstream or the gateway broke off in mid-answer, the client's connection was cut. */
  ended?: 'client' | 'upstream' | 'gateway';
  /** The code of the error that ended it. */
  cause?: string;
}
