/** How much stays as it is, and how long the summary of the rest may be. */
export interface SummarizeHistoryOptions {
  /**
   * The tail that stays: so many turns (2), within clamp(fraction of the effective window, least, most) tokens
   * (0.25, 2,000, 8,000).
   */
  readonly tailTurns?: number;
  readonly tailFraction?: number;
  readonly tailLeast?: number;
  readonly tailMost?: number;
  /**
   * The model's part of the summary, and the evidence beside it: 6,000 tokens each, or 10 % and 8 % of the effective
   * window where that is less.
   */
  readonly narrativeTokens?: number;
  readonly evidenceTokens?: number;
  /**
   * What the evidence gets even where the view then stays above its target: 2,500 tokens, or 5 % of the effective window
   * where that is less. 0: the target counts before the evidence.
   */
  readonly evidenceLeast?: number;
  /** `off`: the digest is the summary even where there is a model. On by default. */
  readonly model?: 'on' | 'off';
  /** Files and other things that code takes across are shown behind the kept messages. True by default. */
  readonly attach?: boolean;
}
