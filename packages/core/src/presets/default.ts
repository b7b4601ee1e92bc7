import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { collapseSpans } from '../layers/collapse-spans.ts';
import { dropOldReasoning } from '../layers/drop-old-reasoning.ts';
import { dropOldestRounds } from '../layers/drop-oldest-rounds/drop-oldest-rounds.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { stripOldMedia } from '../layers/strip-old-media.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { supersedeReads } from '../layers/supersede-reads.ts';
import type { Layer } from '../view/look.ts';
import type { PresetOptions } from './preset-options.ts';

/** Ours: fresh output is bounded as it comes; what was shown changes only in batches, at the trigger or on a cold cache. */
export const defaultPreset = ({ summary }: PresetOptions = {}): readonly Layer[] => [
  capResults({ fraction: 0.15 }),
  stashLargeResults({ fraction: 0.25 }),
  supersedeReads(),
  snipMiddle({ when: 'limit' }),
  clearIdleResults(),
  clearOldResults({ mode: 'prune', when: 'pays' }),
  dropOldReasoning(),
  stripOldMedia(),
  // Below the trigger a collapse would break a warm cache that the next calls still read.
  collapseSpans({ from: 1 }),
  summarizeHistory(summary),
  dropOldestRounds(),
];
