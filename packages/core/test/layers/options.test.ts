import { expect, it } from 'vitest';
import {
  capResults,
  clearIdleResults,
  clearOldResults,
  collapseSpans,
  snipMiddle,
  stashLargeResults,
  summarizeHistory,
  supersedeReads,
} from '../../src/index.ts';

const layers = {
  capResults,
  clearIdleResults,
  clearOldResults,
  collapseSpans,
  snipMiddle,
  stashLargeResults,
  summarizeHistory,
  supersedeReads,
};

it.each(Object.entries(layers))('%s refuses an option nobody knows, by its own name', (name, make) => {
  const refused = (options: object) => () => (make as (options: object) => unknown)(options);
  expect(refused({ nonsense: 1 })).toThrow(
    expect.objectContaining({
      code: 'bad-option',
      message: expect.stringContaining(`${name}() has no option "nonsense". The options are: `),
    }),
  );
  expect(refused({})).not.toThrow();
});

it('what one of several may be is accepted by each of its names', () => {
  for (const when of ['count', 'limit'] as const) expect(() => snipMiddle({ when })).not.toThrow();
  for (const when of ['pressure', 'batch', 'pays'] as const)
    expect(() => clearOldResults({ mode: 'prune', when })).not.toThrow();
  expect(() => capResults({ overChars: { nonsense: 1 } as never })).toThrow(/"overChars" of capResults\(\)/);
});
