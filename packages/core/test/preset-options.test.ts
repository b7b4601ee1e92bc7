import { assistant, createSession, type Layer, type PresetName, presets, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';

const ROOM = 1_000;

/** A compaction that was asked for, of a long conversation, down to a small room in a large window. */
async function tokensLeft(layers: readonly Layer[]): Promise<number> {
  const session = createSession({ window: 200_000, keep: { tokens: ROOM }, layers });
  for (let i = 0; i < 120; i++) {
    session.append(user(`Step ${i}: never rename handler_${i}, and look at /app/src/module-${i}.ts before it.`));
    session.append(assistant(`Looked at /app/src/module-${i}.ts; handler_${i} has ${1_000 + i} callers. `.repeat(6)));
  }
  await session.compact({ form: 'all' });
  return (await session.view()).tokens;
}

describe.each(Object.keys(presets) as readonly PresetName[])('in the preset %s', (name) => {
  it('the evidence has its least room, whatever the target', async () => {
    expect(await tokensLeft(presets[name]())).toBeGreaterThan(ROOM);
  });

  it('a summary that has no least evidence keeps to the target', async () => {
    expect(await tokensLeft(presets[name]({ summary: { evidenceLeast: 0 } }))).toBeLessThanOrEqual(ROOM);
  });

  it('the options of the summary leave the other layers alone', () => {
    const names = (layers: readonly Layer[]): readonly string[] => layers.map((layer) => layer.name);
    expect(names(presets[name]({ summary: { model: 'off' } }))).toEqual(names(presets[name]()));
  });
});
