import { clearOldResults } from '../layers/clear-old-results.ts';
import { dropOldestRounds } from '../layers/drop-oldest-rounds/drop-oldest-rounds.ts';
import { snipMiddle } from '../layers/snip-middle.ts';
import { stashLargeResults } from '../layers/stash-large-results.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import type { Layer } from '../view/look.ts';
import type { PresetOptions } from './preset-options.ts';

/** As the teaching agent s08 does it: save large groups, snip past 50 messages, keep the last three results. */
export const s08Preset = ({ summary }: PresetOptions = {}): readonly Layer[] => [
  stashLargeResults({ overChars: 200_000, previewBytes: 2_000 }),
  snipMiddle({ keepFirst: 3, keepLast: 47 }),
  clearOldResults({ mode: 'count', keep: 3, overChars: 120 }),
  summarizeHistory({ tailTurns: 0, attach: false, ...summary }),
  dropOldestRounds(),
];
