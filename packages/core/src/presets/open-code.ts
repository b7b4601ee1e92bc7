import { clearOldResults } from '../layers/clear-old-results.ts';
import { dropOldestRounds } from '../layers/drop-oldest-rounds/drop-oldest-rounds.ts';
import { summarizeHistory } from '../layers/summarize-history/summarize-history.ts';
import type { Layer } from '../view/look.ts';
import type { PresetOptions } from './preset-options.ts';

/** As OpenCode does it: old tool output is pruned in lots of 20,000 tokens behind a shield of 40,000; skills stay. */
export const openCodePreset = ({ summary }: PresetOptions = {}): readonly Layer[] => [
  clearOldResults({
    mode: 'prune',
    protectTurns: 2,
    protectTokens: 40_000,
    minimumTokens: 20_000,
    when: 'batch',
    exceptTools: ['skill'],
  }),
  summarizeHistory({
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
    ...summary,
  }),
  dropOldestRounds(),
];
