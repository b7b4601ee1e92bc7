import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import { claudeCodeRule } from '../size/budget-rule.ts';
import { definePreset, stage } from './define-preset.ts';

/** As Claude Code does it: budget for results, micro-clear (idle, or by the provider while warm), a summary; a snip on request. */
export const claudeCodePreset = definePreset(
  "presets['claude-code']()",
  {
    capResults: stage(capResults, { overChars: { shell: 30_000 } }),
    stashLargeResults: stage(stashLargeResults, { overChars: 200_000, previewBytes: 2_000 }),
    snipMiddle: stage(snipMiddle, { keepFirst: 3, keepLast: 47 }, 'off'),
    clearIdleResults: stage(clearIdleResults, { idleMs: 60 * 60_000, keep: 5 }),
    clearOldResults: stage(clearOldResults, { mode: 'native', keep: 3 }),
    summarizeHistory: stage(summarizeHistory, {
      tailTurns: 0,
      narrativeTokens: 20_000,
      narrativeFraction: 0.25,
      evidenceTokens: 2_000,
      attachWithin: 'trigger',
      namesTranscript: true,
    }),
  },
  { budget: claudeCodeRule },
);
