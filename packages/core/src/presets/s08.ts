import { clearOldResults } from '../layers/clear-old-results.ts';
import { shortenPastes } from '../layers/shorten-pastes.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { claudeCodeRule } from '../size/budget-rule.ts';
import { definePreset, plainStage, stage } from './define-preset.ts';

/** As the teaching agent s08 does it: save large groups, snip past 50 messages, keep the last three results. */
export const s08Preset = definePreset(
  'presets.s08()',
  {
    stashLargeResults: stage(stashLargeResults, { overChars: 200_000, previewBytes: 2_000 }),
    snipMiddle: stage(snipMiddle, { keepFirst: 3, keepLast: 47 }),
    clearOldResults: stage(clearOldResults, { mode: 'count', keep: 3, overChars: 120, tools: 'every' }),
    shortenPastes: plainStage(shortenPastes),
    summarizeHistory: stage(summarizeHistory, { tailTurns: 0, attach: false }),
  },
  { budget: claudeCodeRule, keepsUserText: false },
);
