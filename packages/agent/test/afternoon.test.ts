import { runAfternoon } from '@palimpsest/testing/afternoon';
import { expect, it } from 'vitest';
import { newFolder, plainEnvironment, programWords } from './support/launch.ts';

/** The whole of it, 300 turns, is `npm run bench -- afternoon`. */
it('an afternoon through three presets and two kills loses nothing, is never refused, and leaves no process', async () => {
  const [main = ''] = programWords([]);
  const seen = await runAfternoon({
    program: [process.execPath, main],
    environment: plainEnvironment(),
    root: newFolder(),
    home: newFolder(),
    turns: 26,
    window: 16_000,
  });
  expect(seen).toMatchObject({ missing: [], refused: [], alive: [], turns: 26, kills: 2, undos: 1 });
  expect(seen.mended).toEqual([
    '1 call that was in flight got no result',
    '1 task in the background ended with the agent',
  ]);
  for (const count of [seen.compactions, seen.summaries, seen.edits, seen.subagents, seen.mcpCalls])
    expect(count).toBeGreaterThan(1);
  expect(Object.keys(seen.byPreset)).toEqual(['default', 'claude-code', 'open-code']);
  for (const { rules, rulesInView } of Object.values(seen.byPreset)) expect(rulesInView).toBe(rules);
}, 120_000);
