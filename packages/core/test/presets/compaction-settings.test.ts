import { describe, expect, it } from 'vitest';
import { createSession, parseCompactionSettings, presets, switchesFrom } from '../../src/index.ts';

const names = (value: unknown): readonly string[] => parseCompactionSettings(value).layers.map(({ name }) => name);

describe('settings for compaction, as a file holds them', () => {
  it('nothing said is the default preset and no switch', () => {
    for (const value of [undefined, {}])
      expect(parseCompactionSettings(value)).toEqual({
        preset: 'default',
        layers: expect.any(Array),
        switches: { autoDisabled: false },
      });
    expect(names({})).toEqual(presets.default().map(({ name }) => name));
  });

  it('OC31 OC58 CC99 auto: false switches automatic compaction off, and the switches of the moment count besides', () => {
    expect(parseCompactionSettings({ auto: false }).switches).toMatchObject({ autoDisabled: true });
    const switches = switchesFrom({ PALIMPSEST_DISABLE_AUTO: '1', PALIMPSEST_WINDOW: '50000' });
    expect(parseCompactionSettings({ auto: true }, switches).switches).toMatchObject({
      autoDisabled: true,
      window: 50_000,
    });
  });

  it('OC13 OC58 prune switches the clearing of old results', () => {
    for (const preset of Object.keys(presets)) {
      expect(names({ preset, prune: true })).toContain('clear-old-results');
      expect(names({ preset, prune: false })).not.toContain('clear-old-results');
    }
  });

  it('OC27 OC58 reserved, inputLimit and the other figures of a budget reach the session', () => {
    const value = { preset: 'open-code', window: 400_000, maxOutput: 128_000, inputLimit: 272_000, reserved: 10_000 };
    const { preset, ...options } = parseCompactionSettings(JSON.parse(JSON.stringify(value)));
    const session = createSession({ window: 1, ...options });
    expect(preset).toBe('open-code');
    expect(session.status().budget).toMatchObject({ window: 400_000, trigger: 262_000 });
  });

  it('OC36 OC37 OC58 tail_turns and preserve_recent_tokens are the tail of the summary', async () => {
    const left = async (value: object): Promise<number> => {
      const { preset: _, ...options } = parseCompactionSettings({ preset: 'open-code', ...value });
      const session = createSession({ window: 200_000, ...options });
      for (let i = 0; i < 40; i++) {
        session.append({ role: 'user', parts: [{ type: 'text', text: `ask ${i} ${'word '.repeat(200)}` }] });
        session.append({ role: 'assistant', parts: [{ type: 'text', text: `say ${i} ${'word '.repeat(200)}` }] });
      }
      await session.compact();
      // The head and the summary stand before it.
      return (await session.view()).messages.length - 2;
    };
    expect(await left({ tail_turns: 2 })).toBe(4);
    expect(await left({ tail_turns: 4 })).toBe(8);
    expect(await left({ tail_turns: 30, preserve_recent_tokens: 2_000 })).toBeLessThan(12);
  });

  it('a layer of the preset is changed beside them', () => {
    expect(names({ preset: 'claude-code', layers: { snipMiddle: true, clearIdleResults: false } })).toEqual(
      presets['claude-code']({ snipMiddle: true, clearIdleResults: false }).map(({ name }) => name),
    );
    expect(names({ layers: { summarizeHistory: false }, tail_turns: 3 })).not.toContain('summarize-history');
  });

  it.each([
    [{ tail_turn: 2 }, /no option "tail_turn".*tail_turns/],
    [{ auto: 'no' }, /"auto" must be true or false/],
    [{ reserved: -1 }, /"reserved" must be a number of 0 or more/],
    [{ preset: 'opencode' }, /"preset" must be "default" or/],
    [{ preset: 's08', layers: { collapseSpans: true } }, /presets\.s08\(\) has no option "collapseSpans"/],
    [{ layers: { summarizeHistory: { tail: 1 } } }, /summarizeHistory\(\) has no option "tail"/],
    [{ trigger: 5 }, /"trigger" must be/],
    ['open-code', /as an object/],
  ])('%j is refused with the key that is wrong', (value, message) => {
    expect(() => parseCompactionSettings(value)).toThrow(
      expect.objectContaining({ code: 'bad-option', message: expect.stringMatching(message) }),
    );
  });
});
