import { describe, expect, it } from 'vitest';
import { assistant, createSession, type Layer, type PresetName, presets, user } from '../src/index.ts';

const ROOM = 1_000;
const names = (layers: readonly Layer[]): readonly string[] => layers.map((layer) => layer.name);

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
    const layers = presets[name]({ summarizeHistory: { evidenceLeast: 0 }, keepsUserText: false });
    expect(await tokensLeft(layers)).toBeLessThanOrEqual(ROOM);
  });

  it('the options of one layer leave the other layers alone', () => {
    expect(names(presets[name]({ summarizeHistory: { model: 'off' } }))).toEqual(names(presets[name]()));
  });

  it('one layer can be switched off, and the floor is there always', () => {
    const without = names(presets[name]({ summarizeHistory: false, clearOldResults: false }));
    const dropped = ['summarize-history', 'clear-old-results'];
    expect(without).toEqual(names(presets[name]()).filter((one) => !dropped.includes(one)));
    expect(without.at(-1)).toBe('drop-oldest-rounds');
  });

  it('a layer that it does not have is refused by name, with the names that it has', () => {
    const given = { snip: true } as never;
    expect(() => presets[name](given)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringMatching(/no option "snip".*clearOldResults/),
      }),
    );
    expect(() => presets[name]({ summarizeHistory: 'off' as never })).toThrow(/"summarizeHistory" must be true, false/);
    expect(() => presets[name]({ summarizeHistory: { tail: 1 } as never })).toThrow(/summarizeHistory\(\).*"tail"/);
  });
});

describe('a layer of a preset is changed by its name', () => {
  it('the snip of claude-code is off until it is asked for, and stands in its place then', () => {
    const plain = names(presets['claude-code']());
    expect(plain).not.toContain('snip-middle');
    for (const snipMiddle of [true, { keepLast: 20 }]) {
      const snipping = names(presets['claude-code']({ snipMiddle }));
      expect(snipping.filter((one) => one !== 'snip-middle')).toEqual(plain);
      expect(snipping.indexOf('snip-middle')).toBe(snipping.indexOf('stash-large-results') + 1);
    }
  });

  it('what is not said of a layer stays as the preset has it', () => {
    const session = (keepLast: number) => {
      const made = createSession({ window: 200_000, layers: presets['claude-code']({ snipMiddle: { keepLast } }) });
      for (let i = 0; i < 60; i++) made.append(i % 2 === 0 ? user(`ask ${i}`) : assistant(`say ${i} `.repeat(40)));
      return made.view();
    };
    // keepFirst stays 3.
    return Promise.all([7, 20].map(async (last) => expect((await session(last)).messages).toHaveLength(3 + 1 + last)));
  });

  it('another mode of a layer takes nothing from the one that the preset has', () => {
    const other = presets['claude-code']({ clearOldResults: { mode: 'prune', protectTurns: 1 } });
    expect(names(other)).toEqual(names(presets['claude-code']()));
  });

  it('layers without options are switched, and take none', () => {
    expect(names(presets.default({ dropOldReasoning: false }))).not.toContain('drop-old-reasoning');
    expect(() => presets.default({ dropOldReasoning: {} as never })).toThrow(
      /"dropOldReasoning" must be true or false/,
    );
  });
});
