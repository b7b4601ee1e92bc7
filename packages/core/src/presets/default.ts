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
import { defaultRule } from '../size/budget-rule.ts';
import { definePreset, plainStage, stage } from './define-preset.ts';

/** How much a view keeps against what it costs. */
interface Thrift {
  /** The share of the window that one result may take. */
  readonly cap: number;
  /** Old results give way to placeholders where that pays. */
  readonly clear: boolean;
  /** The share of what messages can take that a compaction leaves. */
  readonly keep: number;
  /** Prices bring compactions forward. */
  readonly saves: boolean;
}

const { money: _, ...limitsAlone } = defaultRule;

/** Ours: fresh output is bounded as it comes; what was shown changes only in batches, at the trigger or on a cold cache. */
const define = (name: string, { cap, clear, keep, saves }: Thrift) =>
  definePreset(
    `presets.${name}()`,
    {
      capResults: stage(capResults, { fraction: cap }),
      stashLargeResults: stage(stashLargeResults, { fraction: 0.25 }),
      supersedeReads: stage(supersedeReads, {}),
      snipMiddle: stage(snipMiddle, { when: 'limit' }),
      clearIdleResults: stage(clearIdleResults, {}),
      clearOldResults: stage(clearOldResults, { mode: 'prune', when: 'pays' }, clear ? 'on' : 'off'),
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
    },
    { budget: { ...(saves ? defaultRule : limitsAlone), keep } },
  );

export const faithfulPreset = define('faithful', { cap: 0.15, clear: false, keep: 0.5, saves: false });
export const defaultPreset = define('default', { cap: 0.1, clear: false, keep: 0.2, saves: true });
export const leanPreset = define('lean', { cap: 0.05, clear: true, keep: 0.1, saves: true });
