import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type BudgetOptions,
  budget,
  createSession,
  findRules,
  type PresetName,
  presets,
  switchesFrom,
} from '../src/index.ts';

/** The budget of a session that walks a preset. */
const budgetIn = (preset: PresetName, options: BudgetOptions): Budget =>
  createSession({ ...options, layers: presets[preset]() }).status().budget;

const WINDOWS = [200_000, 128_000, 64_000] as const;

describe('the default rule', () => {
  it('CC81 S55 the limit of 200,000 is 167,000 to the token, and the target 36,000', () => {
    const figures = { effective: 180_000, target: 36_000, blocking: 177_000 };
    const made = budget({ window: 200_000 });
    expect(made).toMatchObject({ ...figures, trigger: 167_000, warning: 147_000, error: 157_000 });
    const { trigger, ceiling, warning, error, ...lived } = budgetIn('default', { window: 200_000, maxOutput: 64_000 });
    expect(lived).toMatchObject(figures);
    // Where compaction begins follows from prices.
    expect(ceiling).toBe(167_000);
    expect([trigger - warning, trigger - error]).toEqual([20_000, 10_000]);
  });

  it('shares of a window are whole tokens: no binary fraction takes one away', () => {
    for (let effective = 1_000; effective <= 200_000; effective += 1_000) {
      const made = budget({ window: effective, inputLimit: effective, maxOutput: 1, keep: { fraction: 0.35 } });
      expect(budget({ window: effective + 1, maxOutput: 1 }).effective).toBe(effective);
      expect(made.target).toBe(Math.floor(((effective - 1) * 35) / 100));
    }
    const percent = budget({ window: 200_001, maxOutput: 1, switches: { triggerPercent: 55 } });
    expect(percent.trigger).toBe(110_000);
  });
});

describe.each(['claude-code', 's08'] as const)('the rule of %s', (name) => {
  it('CC81 CC82 CC83 the trigger lies 13,000 below the effective window, whatever the window and a larger answer', () => {
    for (const window of WINDOWS)
      for (const maxOutput of [20_000, 32_000, 64_000, 150_000]) {
        const made = budgetIn(name, { window, maxOutput });
        expect(made.effective).toBe(window - 20_000);
        expect(made.trigger).toBe(window - 33_000);
      }
    expect(budgetIn(name, { window: 200_000 }).trigger).toBe(167_000);
    expect(budgetIn(name, { window: 128_000, maxOutput: 16_384 }).trigger).toBe(98_616);
    expect(budgetIn(name, { window: 1_000_000 }).trigger).toBe(967_000);
  });

  it('CC85 warning and error lie 20,000 below the trigger, blocking 3,000 below the effective window', () => {
    for (const window of WINDOWS)
      expect(budgetIn(name, { window, maxOutput: 20_000 })).toMatchObject({
        warning: window - 53_000,
        error: window - 53_000,
        blocking: window - 23_000,
      });
    expect(budgetIn(name, { window: 200_000 })).toMatchObject({ warning: 147_000, error: 147_000, blocking: 177_000 });
  });

  it('no window is too small for it: the figures become shares, and more window is never less room', () => {
    let before: Budget | undefined;
    for (let window = 10; window <= 80_000; window = Math.ceil(window * 1.1)) {
      const made = budgetIn(name, { window, maxOutput: 32_000 });
      expect(made.trigger).toBeGreaterThanOrEqual(Math.floor(window / 3));
      expect(made.target).toBeLessThan(made.trigger);
      expect(made.blocking).toBeGreaterThanOrEqual(made.trigger);
      expect(made.trigger).toBeGreaterThanOrEqual(before?.trigger ?? 0);
      before = made;
    }
  });
});

describe('the rule of open-code', () => {
  it('OC27 usable is the window less the largest answer, where no input limit is stated', () => {
    expect(budgetIn('open-code', { window: 200_000, maxOutput: 8_000 })).toMatchObject({
      effective: 192_000,
      trigger: 192_000,
    });
    expect(budgetIn('open-code', { window: 200_000, maxOutput: 32_000 }).trigger).toBe(168_000);
  });

  it('OC27 OC28 with an input limit it is that limit less reserved: 20,000, or the largest answer if that is less', () => {
    const large = { window: 400_000, inputLimit: 272_000 };
    expect(budgetIn('open-code', { ...large, maxOutput: 128_000 }).trigger).toBe(252_000);
    expect(budgetIn('open-code', { ...large, maxOutput: 8_000 }).trigger).toBe(264_000);
    expect(budgetIn('open-code', { ...large, maxOutput: 128_000, reserved: 50_000 }).trigger).toBe(222_000);
    expect(budgetIn('open-code', { ...large, maxOutput: 128_000, reserved: 0 }).trigger).toBe(272_000);
    expect(budgetIn('open-code', { ...large, maxOutput: 128_000 }).blocking).toBeLessThanOrEqual(272_000);
  });

  it('what a user wants reserved counts without an input limit too', () => {
    expect(budgetIn('open-code', { window: 200_000, maxOutput: 8_000, reserved: 30_000 }).trigger).toBe(170_000);
  });

  it('no window is too small for it', () => {
    for (const window of [10, 1_000, 8_192, 16_000, 20_000]) {
      const made = budgetIn('open-code', { window, maxOutput: 32_000, reserved: 1e6, inputLimit: 1e9 });
      expect(made.trigger).toBeGreaterThanOrEqual(Math.floor(window / 2));
      expect(made.target).toBeLessThan(made.trigger);
    }
  });
});

describe('an input limit in the other rules', () => {
  it.each(['default', 'claude-code', 's08'] as const)('is kept, with the margins below it (%s)', (name) => {
    const made = budgetIn(name, { window: 400_000, inputLimit: 272_000, maxOutput: 128_000 });
    expect({ ...made, trigger: made.ceiling ?? made.trigger }).toMatchObject({
      effective: 272_000,
      trigger: 259_000,
      blocking: 269_000,
    });
    expect(budgetIn(name, { window: 400_000, inputLimit: 272_000, reserved: 12_000 }).effective).toBe(260_000);
    expect(budgetIn(name, { window: 200_000, inputLimit: 500_000, maxOutput: 20_000 }).effective).toBe(180_000);
  });
});

describe('how a rule reaches a session', () => {
  it('it rides with the list, wherever layers are put around it', () => {
    const own = { name: 'own', decide: () => ({ edits: [] }) };
    const layers = [own, ...presets['open-code']({ summarizeHistory: false }), own];
    expect(createSession({ window: 200_000, maxOutput: 8_000, layers }).status().budget.trigger).toBe(192_000);
    expect(budget({ window: 200_000, maxOutput: 8_000, rule: findRules(layers).budget! }).trigger).toBe(192_000);
    expect(findRules([own])).toEqual({});
  });

  it("a host's own rule counts before the preset's, and a wrong one is refused", () => {
    const rule = { ...findRules(presets['claude-code']()).budget!, trigger: { tokens: 50_000, from: 0 } };
    const session = createSession({ window: 200_000, layers: presets['open-code'](), rule });
    expect(session.status().budget.trigger).toBe(130_000);
    expect(() => budget({ window: 200_000, rule: { trigger: 5 } as never })).toThrow(
      /"rule" must be a rule with answer/,
    );
  });

  it('it stays through a switch of models and a learned window', async () => {
    const session = createSession({ window: 200_000, maxOutput: 8_000, layers: presets['open-code']() });
    await session.switchTo({ window: 100_000 });
    expect(session.status().budget.trigger).toBe(92_000);
    session.append({ role: 'user', parts: [{ type: 'text', text: 'hello '.repeat(400) }] });
    await session.view();
    await session.overflowed({ maximum: 6_000 }).catch(() => {});
    expect(session.status().budget).toMatchObject({ window: 6_000, trigger: 3_000 });
  });
});

describe('the states of a user interface', () => {
  it('CC92 with automatic compaction off, warning and error count from the effective window', () => {
    const off = { window: 200_000, switches: switchesFrom({ PALIMPSEST_DISABLE_AUTO: '1' }) };
    expect(budgetIn('claude-code', off)).toMatchObject({ warning: 160_000, error: 160_000, blocking: 177_000 });
    expect(budgetIn('default', off)).toMatchObject({ warning: 160_000, error: 170_000 });
  });

  it('CC90 a blocking limit may be any positive number, also below the trigger', () => {
    for (const blockingLimit of [1, 150_000, 190_000])
      expect(budgetIn('claude-code', { window: 200_000, switches: { blockingLimit } }).blocking).toBe(blockingLimit);
  });

  it('CC87 a percentage is of the effective window and may only lower the trigger', () => {
    const at = (triggerPercent: number) =>
      budgetIn('claude-code', { window: 200_000, switches: { triggerPercent } }).trigger;
    expect([at(50), at(92), at(93), at(100)]).toEqual([90_000, 165_600, 167_000, 167_000]);
  });
});
