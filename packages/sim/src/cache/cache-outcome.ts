/** What the cache did for one prompt, in tokens. */
export interface CacheOutcome {
  readonly read: number;
  readonly write: number;
  /** The part of `write` that is kept for an hour (Anthropic). */
  readonly writeHour: number;
}
