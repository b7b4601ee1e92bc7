import { capResults } from '../layers/cap-results.ts';
import { clearIdleResults } from '../layers/clear-idle-results.ts';
import { clearOldResults } from '../layers/clear-old-results.ts';
import { dropOldestRounds } from '../layers/drop-oldest-rounds/drop-oldest-rounds.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import type { Layer } from '../view/look.ts';
import type { PresetOptions } from './preset-options.ts';

/** As Claude Code does it: budget for results, snip, micro-clear (idle, or by the provider while warm). */
export const claudeCodePreset = ({ summary }: PresetOptions = {}): readonly Layer[] => [
  capResults({ overChars: { shell: 30_000 } }),
  stashLargeResults({ overChars: 200_000, previewBytes: 2_000 }),
  snipMiddle({ keepFirst: 3, keepLast: 47 }),
  clearIdleResults({ idleMs: 60 * 60_000, keep: 5 }),
  clearOldResults({ mode: 'native', keep: 3 }),
  summarizeHistory({
    tailTurns: 0,
    narrativeTokens: 20_000,
    narrativeFraction: 0.25,
    evidenceTokens: 2_000,
    attachWithin: 'trigger',
    namesTranscript: true,
    ...summary,
  }),
  dropOldestRounds(),
];
