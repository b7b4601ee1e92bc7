import { clearOldResults } from '../layers/clear-old-results.ts';
import { shortenPastes } from '../layers/shorten-pastes.ts';
import { stripOldMedia } from '../layers/strip-old-media.ts';
import { stripRefusedMedia } from '../layers/strip-refused-media.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { openCodeRule } from '../size/budget-rule.ts';
import { definePreset, plainStage, stage } from './define-preset.ts';

/** As OpenCode does it: old tool output is pruned in lots of 20,000 tokens behind a shield of 40,000; skills stay. */
export const openCodePreset = definePreset(
  "presets['open-code']()",
  {
    stripRefusedMedia: plainStage(stripRefusedMedia),
    clearOldResults: stage(
      clearOldResults,
      {
        mode: 'prune',
        protectTurns: 2,
        protectTokens: 40_000,
        minimumTokens: 20_000,
        protectFraction: Infinity,
        minimumFraction: Infinity,
        when: 'batch',
        underPressure: 'same',
        tools: 'every',
        exceptTools: ['skill'],
        keepFailed: true,
      },
      'off',
    ),
    stripOldMedia: stage(stripOldMedia, { when: 'limit' }),
    shortenPastes: plainStage(shortenPastes),
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
  { budget: openCodeRule, keepsUserText: false },
);
