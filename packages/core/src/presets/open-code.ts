import { clearOldResults } from '../layers/clear-old-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { openCodeRule } from '../size/budget-rule.ts';
import { definePreset, stage } from './define-preset.ts';

/** As OpenCode does it: old tool output is pruned in lots of 20,000 tokens behind a shield of 40,000; skills stay. */
export const openCodePreset = definePreset(
  "presets['open-code']()",
  {
    clearOldResults: stage(clearOldResults, {
      mode: 'prune',
      protectTurns: 2,
      protectTokens: 40_000,
      minimumTokens: 20_000,
      when: 'batch',
      exceptTools: ['skill'],
    }),
    summarizeHistory: stage(summarizeHistory, {
      tailTurns: 2,
      tailFraction: 0.25,
      tailLeast: 2_000,
      tailMost: 8_000,
      keepNewest: false,
      always: true,
      template: 'open-code',
      request: 'stand-alone',
      attach: false,
      autoContinue: true,
    }),
  },
  { budget: openCodeRule },
);
