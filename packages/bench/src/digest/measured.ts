/** What something took. */
export interface Took {
  /** By the clock: what somebody waits for on a machine that does nothing else. */
  readonly wallMs: number;
  /** Of all processors, with what compiles and collects beside the program. */
  readonly cpuMs: number;
}

/** What a digest costs in a process that has made none before. */
export interface DigestMeasured {
  readonly parse: Took;
  readonly read: Took;
  readonly write: Took;
  /** One round more, in a process that has made several. */
  readonly roundMs: number;
}

/** What searching costs in a process that has not searched before. */
export interface SearchMeasured {
  readonly first: Took;
  readonly searchMs: number;
}
