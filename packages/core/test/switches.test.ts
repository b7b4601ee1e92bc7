import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  switchesFrom,
  user,
} from '../src/index.ts';
import { countChars } from './support/walks.ts';

const NAMES = Object.keys(presets) as readonly PresetName[];

/** A session of so many tokens, in messages of a thousand. */
function filled(tokens: number, options: Partial<SessionOptions>): Session {
  const session = createSession({ window: 200_000, maxOutput: 20_000, count: countChars, ...options });
  for (let i = 0; i * 1_000 < tokens; i++)
    session.append(i % 2 === 0 ? user(`${i} `.padEnd(1_000, 'ask ')) : assistant(`${i} `.padEnd(1_000, 'say ')));
  return session;
}

describe('what the environment says', () => {
  it.each([
    ['PALIMPSEST_TRIGGER_PERCENT', '0'],
    ['PALIMPSEST_TRIGGER_PERCENT', '-5'],
    ['PALIMPSEST_TRIGGER_PERCENT', 'abc'],
    ['PALIMPSEST_TRIGGER_PERCENT', '120'],
    ['PALIMPSEST_BLOCKING_LIMIT', 'many'],
    ['PALIMPSEST_BLOCKING_LIMIT', '-1'],
    ['PALIMPSEST_WINDOW', '0'],
  ])('CC88 %s=%s is ignored, and a session tells so once', async (name, value) => {
    const events: SessionEvent[] = [];
    const switches = switchesFrom({ [name]: value, PALIMPSEST_DISABLE_AUTO: '1' });
    const session = createSession({ window: 200_000, switches, on: (event) => events.push(event) });
    expect(session.status().budget).toEqual(budget({ window: 200_000, switches: { autoDisabled: true } }));
    expect(events).toEqual([{ type: 'switch-ignored', name, value, why: expect.stringContaining(name) }]);
    session.append(user('hello'));
    await session.view();
    expect(events.filter(({ type }) => type === 'switch-ignored')).toHaveLength(1);
  });

  it('what a host states in code is still refused', () => {
    for (const switches of [{ triggerPercent: 0 }, { triggerPercent: -5 }, { blockingLimit: Number.NaN }])
      expect(() => budget({ window: 200_000, switches })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});

describe('with automatic compaction off', () => {
  const off = { autoDisabled: true } as const;

  it('CC92 CC93 the states count from the effective window, and no trigger is passed', () => {
    const states = (tokens: number) => {
      const status = filled(tokens, { switches: off, layers: presets['claude-code']() }).status();
      return [status.aboveWarning, status.aboveError, status.aboveTrigger, status.atBlockingLimit, status.percentLeft];
    };
    expect(states(159_000)).toEqual([false, false, false, false, 12]);
    expect(states(160_000)).toEqual([true, true, false, false, 11]);
    expect(states(170_000)).toEqual([true, true, false, false, 6]);
    expect(states(177_000)).toEqual([true, true, false, true, 2]);
    const { aboveTrigger } = filled(170_000, { layers: presets['claude-code']() }).status();
    expect(aboveTrigger).toBe(true);
  });

  it('CC90 a blocking limit below the trigger blocks where it was set, and a manual compaction still helps', async () => {
    const session = filled(160_000, { switches: { ...off, blockingLimit: 150_000 } });
    await expect(session.view()).rejects.toMatchObject({ code: 'blocked' });
    expect(await session.compact()).toBeDefined();
    expect((await session.view()).tokens).toBeLessThan(150_000);
  });

  it('no batch of old results is rewritten, warm cache or cold', async () => {
    const lists = [
      presets.default(),
      presets['open-code']({ clearOldResults: true }),
      presets['claude-code']({ clearOldResults: { mode: 'prune', when: 'batch' } }),
    ];
    const live = async (options: Partial<SessionOptions>): Promise<number> => {
      const session = createSession({ window: 600_000, ...options });
      let declared = 0;
      for (let i = 0; i < 60; i++) {
        // A pause of ten minutes cools the cache.
        const at = i * 1_000 + (i < 50 ? 0 : 600_000);
        session.append({ ...user(`step ${i}`), at });
        session.append({ ...assistant([call(`c${i}`, 'read', { path: `f${i % 3}.ts` })]), at });
        session.append({ ...results([result(`c${i}`, `line ${i} of the file `.repeat(500))]), at });
        if ((await session.view({ now: at })).receipt?.declared) declared++;
        session.append({ ...assistant(`seen ${i}`), at });
      }
      return declared;
    };
    for (const layers of lists) {
      expect(await live({ layers, switches: off })).toBe(0);
      expect(await live({ layers })).toBeGreaterThan(0);
    }
  });

  it('CC102 T8 in claude-code a refusal compacts nothing either, and the error says what to do; elsewhere it does', async () => {
    for (const name of NAMES) {
      const session = filled(60_000, { switches: off, layers: presets[name]() });
      await session.view();
      const answer = await session.overflowed().catch((error: unknown) => error);
      if (name === 'claude-code')
        expect(answer).toMatchObject({
          code: 'blocked',
          message: expect.stringMatching(/PALIMPSEST_DISABLE_AUTO.*compact\(\)/),
        });
      else expect(answer).toMatchObject({ fits: true });
    }
  });
});

describe('CC101 reactive only', () => {
  const switches = switchesFrom({ PALIMPSEST_REACTIVE_ONLY: '1' });

  it.each(NAMES)('no view is compacted or refused before the provider refuses one (%s)', async (name) => {
    const session = filled(190_000, { switches, layers: presets[name]({ clearOldResults: false }) });
    // s08 snips by number of messages, whatever the size.
    const view = await session.view();
    if (name !== 's08') expect(view.receipt).toBeUndefined();
    expect(session.status().paused).toBe('reactive');
    const smaller = await session.overflowed({ maximum: 200_000, actual: 201_000 });
    expect(smaller.tokens).toBeLessThanOrEqual(view.tokens / 2);
    expect(smaller.fits).toBe(true);
  });
});
