/** The true cost of one answer. `input` is what no cache served or kept. */
export interface SimUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour (Anthropic). */
  readonly cacheWriteHour: number;
  /** The part of `output` that is reasoning. */
  readonly reasoning: number;
}

export const totalInput = (usage: SimUsage): number => usage.input + usage.cacheRead + usage.cacheWrite;
