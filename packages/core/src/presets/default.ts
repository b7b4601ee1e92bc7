import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { collapseSpans } from '../layers/collapse-spans.ts';
import { dropOldReasoning } from '../layers/drop-old-reasoning.ts';
import { pushRecall } from '../layers/push-recall.ts';
import { shortenPastes } from '../layers/shorten-pastes.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { stripOldMedia } from '../layers/strip-old-media.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { supersedeReads } from '../layers/supersede-reads.ts';
import { definePreset, plainStage, stage } from './define-preset.ts';

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
  shortenPastes: plainStage(shortenPastes),
  // Below the trigger a collapse would break a warm cache that the next calls still read. Few large spans hold more than many small ones.
  collapseSpans: stage(collapseSpans, {
    from: 1,
    when: 'spares-a-call',
    spanTokens: 20_000,
    spanFraction: 0.25,
    keep: 0.3,
    most: 0.5,
  }),
  summarizeHistory: stage(summarizeHistory, { template: 'statements', modelFrom: 10_000 }),
  pushRecall: stage(pushRecall, {}, 'off'),
});
