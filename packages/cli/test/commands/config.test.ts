import { describe, expect, it } from 'vitest';
import { fileOf, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';

const settingsFile = (value: unknown): string =>
  fileOf('settings.json', typeof value === 'string' ? value : JSON.stringify(value));

describe('--config', () => {
  it('OC58 names the preset and changes its layers and figures', async () => {
    const config = settingsFile({
      compaction: { preset: 'open-code', window: 6_000, reserved: 2_000, prune: false, tail_turns: 1 },
    });
    const { code, out } = await hear(['replay', workdayFile(), '--json', '--config', config]);
    expect(code).toBe(0);
    const { sessions } = JSON.parse(out) as { sessions: { window: number; outcomes: { preset: string }[] }[] };
    expect(sessions[0]!.window).toBe(6_000);
    expect(sessions[0]!.outcomes.map(({ preset }) => preset)).toEqual(['open-code', 'recording']);
  });

  it('auto: false compacts nothing by itself', async () => {
    const compactions = async (value: object): Promise<number> => {
      const config = settingsFile(value);
      const { out } = await hear(['replay', workdayFile(), '--json', '--config', config, '--window', '8000']);
      return (JSON.parse(out) as { totals: { compactions: number }[] }).totals[0]!.compactions;
    };
    expect(await compactions({ preset: 'claude-code' })).toBeGreaterThan(0);
    const off = await hear(['replay', workdayFile(), '--config', settingsFile({ auto: false }), '--window', '8000']);
    expect(off.err).toContain('automatic compaction off');
  });

  it('a flag counts before it', async () => {
    const config = settingsFile({ preset: 'open-code', window: 9_000 });
    const { out } = await hear([
      ...['replay', workdayFile(), '--json', '--config', config],
      ...['--preset', 's08', '--window', '7000'],
    ]);
    const { sessions } = JSON.parse(out) as { sessions: { window: number; outcomes: { preset: string }[] }[] };
    expect(sessions[0]!.window).toBe(7_000);
    expect(sessions[0]!.outcomes[0]!.preset).toBe('s08');
  });

  it.each([
    ['{', 'is no JSON: '],
    ['[]', 'must hold a JSON object'],
    [{ tail_turn: 2 }, 'the settings for compaction have no option "tail_turn"'],
    [{ preset: 's08', layers: { collapseSpans: true } }, 'presets.s08()'],
  ])('%j is refused with code 2, the file’s name and what is wrong', async (value, told) => {
    const config = settingsFile(value);
    for (const command of [['sample'], ['replay', workdayFile()], ['compact', workdayFile()]]) {
      const { code, err, out } = await hear([...command, '--config', config]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(told);
      expect(err).toContain(config);
    }
  });

  it('CC88 a percentage in the environment that makes no sense is complained of, and the rest goes on', async () => {
    const { code, err } = await hear(['replay', workdayFile(), '--preset', 'default'], {
      environment: { PALIMPSEST_TRIGGER_PERCENT: 'abc' },
    });
    expect(code).toBe(0);
    expect(err).toContain('PALIMPSEST_TRIGGER_PERCENT');
  });
});
