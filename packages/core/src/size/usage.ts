/** What a provider reported for one call. Fields it did not report stay away. */
export interface Usage {
  /**
   * Without what the cache served: with `cacheRead` and `cacheWrite` it makes the whole request. Some providers report the
   * whole as input; take the cached tokens off then.
   */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The part of `cacheWrite` that Anthropic caches for an hour. It costs twice the input price. */
  readonly cacheWriteHour?: number;
  /** What the provider cleared of the request by its own context editing; the figures above are without it. */
  readonly cleared?: number;
  /** What the provider's own compaction cost; the figures above are without it. */
  readonly compaction?: Usage;
}
