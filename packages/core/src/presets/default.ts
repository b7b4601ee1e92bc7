import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { collapseSpans } from '../layers/collapse-spans.ts';
import { dropOldReasoning } from '../layers/drop-old-reasoning.ts';
import { pushRecall } from '../layers/push-recall.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { stripOldMedia } from '../layers/strip-old-media.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { supersedeReads } from '../layers/supersede-reads.ts';
import { definePreset, plainStage, stage, switchedStage } from './define-preset.ts';

/** Ours: fresh output is bounded as it comes; what was shown changes only in batches, at the trigger or on a cold cache. */
export const defaultPreset = definePreset('presets.default()', {
  capResults: stage(capResults, { fraction: 0.15 }),
  stashLargeResults: stage(stashLargeResults, { fraction: 0.25 }),
  supersedeReads: stage(supersedeReads, {}),
  snipMiddle: stage(snipMiddle, { when: 'limit' }),
  clearIdleResults: stage(clearIdleResults, {}),
  clearOldResults: stage(clearOldResults, { mode: 'prune', when: 'pays' }),
  dropOldReasoning: plainStage(dropOldReasoning),
  stripOldMedia: stage(stripOldMedia, {}),
  // One digest of all that goes holds more than several of spans at the same size; below the trigger a collapse would break a warm cache.
  collapseSpans: switchedStage(collapseSpans, { from: 1, enabled: false }),
  summarizeHistory: stage(summarizeHistory, { template: 'statements' }),
  pushRecall: stage(pushRecall, {}, 'off'),
});
