import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { collapseSpans } from '../layers/collapse-spans.ts';
import { shortenPastes } from '../layers/shorten-pastes.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { supersedeReads } from '../layers/supersede-reads.ts';
import { yieldToCollapse } from '../layers/yield-to-collapse.ts';
import { claudeCodeRule } from '../size/budget-rule.ts';
import type { Layer } from '../view/look.ts';
import { definePreset, plainStage, stage, switchedStage } from './define-preset.ts';

/** Characters of one result, of tools whose outputs can be had again piece by piece. */
const CAPPED = { read: 30_000, grep: 30_000, glob: 30_000, shell: 30_000, 'web-fetch': 30_000 } as const;

/** From this share of the effective window on a collapse is waited for. */
const BLOCK_AT = 0.95;

const makeLayers = definePreset(
  "presets['claude-code']()",
  {
    capResults: stage(capResults, { overChars: CAPPED, shows: 'head' }),
    stashLargeResults: stage(stashLargeResults, { overChars: 200_000, previewBytes: 2_000 }),
    snipMiddle: stage(snipMiddle, { keepFirst: 3, keepLast: 47 }, 'off'),
    supersedeReads: stage(supersedeReads, {}),
    clearIdleResults: stage(clearIdleResults, { idleMs: 60 * 60_000, keep: 5 }),
    clearOldResults: stage(clearOldResults, { mode: 'native', keep: 3 }),
    collapseSpans: switchedStage(collapseSpans, { from: 0.9, blockAt: BLOCK_AT, enabled: false }),
    shortenPastes: plainStage(shortenPastes),
    summarizeHistory: stage(summarizeHistory, {
      tailTurns: 0,
      narrativeTokens: 20_000,
      narrativeFraction: 0.25,
      evidenceTokens: 2_000,
      attachWithin: 'trigger',
      namesTranscript: true,
    }),
  },
  { budget: claudeCodeRule, overflow: { automaticOnly: true }, keepsUserText: false },
);

/**
 * As Claude Code does it: budget for results, micro-clear (idle, or by the provider while warm), a summary; a snip and the
 * collapse of old spans on request. While spans collapse, history is not summarized unasked.
 */
export const claudeCodePreset = (options?: Parameters<typeof makeLayers>[0]): readonly Layer[] => {
  const { collapseSpans: change = false } = options ?? {};
  const enabled = typeof change === 'boolean' ? change : (change.enabled ?? true);
  const until = typeof change === 'boolean' ? BLOCK_AT : (change.blockAt ?? BLOCK_AT);
  return makeLayers(options).map((layer) => {
    if (layer.name === 'summarize-history') return yieldToCollapse(layer, { enabled });
    return layer.name === 'drop-oldest-rounds' ? yieldToCollapse(layer, { enabled, until }) : layer;
  });
};
