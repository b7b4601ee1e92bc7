import type { SummarizeHistoryOptions } from '../layers/summarize-history/summarize-history.ts';

/** What a host may want otherwise in a preset without listing its layers anew. */
export interface PresetOptions {
  /** How the history is summarized, option by option; what is not said stays as the preset has it. */
  readonly summary?: SummarizeHistoryOptions;
}
