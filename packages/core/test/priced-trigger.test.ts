import { describe, expect, it } from 'vitest';
import {
  assistant,
  type BudgetOptions,
  budget,
  type CallPart,
  call,
  createSession,
  DEFAULT_PRICES,
  findRules,
  presets,
  result,
  results,
  text,
  user,
} from '../src/index.ts';
import { userTextRoom } from '../src/size/budget.ts';
import { defaultRule } from '../src/size/budget-rule.ts';
import { cheapestTrigger, priceBudget } from '../src/size/money.ts';
import { long } from './texts.ts';

const usual = { tokens: 140_000, answers: 100, touches: 80, returns: 50 };
const slow = { ...usual, tokens: 14_000 };
const priced = (options: BudgetOptions, pace = usual, prices = DEFAULT_PRICES) =>
  priceBudget(budget(options), prices, pace);

describe('the trigger that prices make', () => {
  it('is K + √(2 · (w − r) · K · g ÷ r): 0.79, 0.66 and 0.60 of the effective window with 0.35 kept', () => {
    const shares = [64_000, 128_000, 200_000].map((window) => {
      const { effective, target } = budget({ window, keep: { fraction: 0.35 } });
      return cheapestTrigger({ target }, DEFAULT_PRICES, 1_400, 0) / effective;
    });
    expect(shares.map((share) => share.toFixed(2))).toEqual(['0.79', '0.66', '0.60']);
  });

  it('what has to be read again after a compaction puts it off', () => {
    const at = (again: number): number => cheapestTrigger({ target: 36_000 }, DEFAULT_PRICES, 1_400, again);
    expect(at(0)).toBeLessThan(at(40_000));
  });

  it('where calls come back to no file, nothing is read again: it falls with every file', () => {
    const at = (touches: number, returns: number): number =>
      priced({ window: 200_000 }, { ...usual, touches, returns }).trigger;
    const { target } = budget({ window: 200_000 });
    const free = cheapestTrigger({ target }, DEFAULT_PRICES, 1_400, 0);
    expect(at(100, 0)).toBeLessThan(at(20, 0));
    expect(at(20, 0)).toBeLessThan(at(20, 4));
    expect(at(2_000, 0)).toBeLessThan(free * 1.01);
  });

  it('a session that comes back with every fourth call is a usual one, and so is one of which little is known', () => {
    for (const [touches, returns] of [
      [100, 25],
      [100, 90],
      [3, 0],
      [0, 0],
    ] as const)
      expect(priced({ window: 200_000 }, { ...usual, touches, returns })).toEqual(priced({ window: 200_000 }));
  });

  it('follows the prices of the model that the session goes on with', async () => {
    const dear = { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 2.5 };
    const session = createSession({ window: 200_000 });
    session.append(user('Go.'));
    const before = session.status().budget.trigger;
    await session.switchTo({ window: 200_000, prices: dear });
    const { trigger } = session.status().budget;
    expect(trigger).toBeLessThan(before);
    const other = createSession({ window: 200_000, prices: dear });
    other.append(user('Go.'));
    expect(trigger).toBe(other.status().budget.trigger);
  });

  it('follows what the wire says of its vendor’s cache where no prices are stated; no bill does', () => {
    const implicit = { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 };
    const wire = { reasoning: 'free', nativeEditing: false, prices: implicit } as const;
    const by = (options: object) => createSession({ window: 200_000, ...options });
    expect(by({ wire }).status().budget.trigger).toBe(by({ prices: implicit }).status().budget.trigger);
    expect(by({ wire }).status().budget.trigger).toBeLessThan(by({}).status().budget.trigger);
    expect(by({ wire, prices: DEFAULT_PRICES }).status().budget).toEqual(by({}).status().budget);
    const session = by({ wire });
    session.observe({ input: 100, output: 10 });
    expect(session.totals()).toMatchObject({ cost: 0, unpriced: 1 });
  });

  it('lies between target and ceiling, and falls with the growth of a call', () => {
    const whole = budget({ window: 200_000 });
    const [quick, calm] = [priced({ window: 200_000 }), priced({ window: 200_000 }, slow)];
    expect(quick).toMatchObject({ ceiling: whole.trigger, target: 36_000 });
    expect(quick.trigger).toBeLessThan(whole.trigger);
    expect(calm.trigger).toBeLessThan(quick.trigger);
    expect(calm.trigger).toBeGreaterThan(calm.target);
    expect(whole.trigger - quick.trigger).toBe(whole.warning - quick.warning);
  });

  it('before a session has a pace, the mean of recorded ones counts', () => {
    expect(priced({ window: 200_000 }, { ...usual, tokens: 90, answers: 9 })).toEqual(priced({ window: 200_000 }));
  });

  it('of what is sent besides the messages nothing is written anew', () => {
    const beside = { ...budget({ window: 200_000 }), target: 60_000, overhead: 20_000 };
    const { trigger } = priceBudget(beside, DEFAULT_PRICES, usual);
    const alone = priceBudget({ ...beside, target: 40_000, overhead: 0 }, DEFAULT_PRICES, usual);
    expect(trigger - 60_000).toBe(alone.trigger - 40_000);
  });

  it('beside what users typed, half of the target is left, and the trigger is no nearer', () => {
    const stated = budget({ window: 200_000 });
    const alone = priceBudget(stated, DEFAULT_PRICES, usual);
    const [little, much, most] = [10_000, 30_000, 90_000].map((typed) =>
      priceBudget(stated, DEFAULT_PRICES, usual, typed),
    );
    expect(little).toEqual(alone);
    expect(much?.target).toBe(30_000 + alone.target / 2);
    expect(most?.target).toBe(userTextRoom(stated) + alone.target / 2);
    expect(most!.trigger - most!.target).toBeGreaterThanOrEqual(alone.trigger - alone.target);
  });

  it('a small window has no room to save in: the ceiling stays the trigger', () => {
    expect(priced({ window: 32_000 })).toEqual(budget({ window: 32_000 }));
  });

  it('a trigger that was stated stays, by a host or by the user', () => {
    const stated: readonly BudgetOptions[] = [
      { window: 200_000, trigger: { fraction: 0.9 } },
      { window: 200_000, switches: { triggerPercent: 85 } },
    ];
    for (const options of stated) expect(priced(options)).toEqual(budget(options));
  });

  it('where reading costs nothing there is nothing to save', () => {
    const free = { ...DEFAULT_PRICES, cacheRead: 0 };
    expect(priced({ window: 200_000 }, usual, free)).toEqual(budget({ window: 200_000 }));
  });

  it('is no matter of the presets that follow documents of others', () => {
    for (const name of ['claude-code', 'open-code', 's08'] as const) {
      const { budget: rule } = findRules(presets[name]());
      const options = { window: 200_000, rule: rule! };
      expect(priced(options)).toEqual(budget(options));
      expect(budget(options).keepFraction).toBe(0.35);
    }
  });
});

describe('the target of a session that goes from file to file and never back', () => {
  const at = (touches: number, returns: number, options: Partial<BudgetOptions> = {}) =>
    priced({ window: 200_000, ...options }, { ...usual, touches, returns });

  it('falls with every file, to half of it at the least', () => {
    const { target } = budget({ window: 200_000 });
    expect(at(19, 0).target).toBe(target);
    expect(at(40, 0).target).toBeLessThan(target);
    expect(at(100, 0).target).toBeLessThan(at(40, 0).target);
    expect(at(100_000, 0).target).toBeGreaterThanOrEqual(target / 2);
    expect(at(100_000, 0).target).toBeLessThan(target * 0.51);
  });

  it('stays where one call in twenty comes back', () => {
    expect(at(100, 5).target).toBe(budget({ window: 200_000 }).target);
  });

  it('stays where a host stated it, and where the rule says nothing of it', () => {
    for (const keep of [{ fraction: 0.25 }, { tokens: 30_000 }])
      expect(at(1_000, 0, { keep }).target).toBe(budget({ window: 200_000, keep }).target);
    const { keepLeast: _, ...money } = defaultRule.money!;
    expect(at(1_000, 0, { rule: { ...defaultRule, money } }).target).toBe(budget({ window: 200_000 }).target);
  });

  it('takes nothing from what the user typed, nor from what is sent besides the messages', () => {
    const whole = budget({ window: 200_000 });
    expect(userTextRoom(at(1_000, 0))).toBe(userTextRoom(whole));
    const beside = { ...whole, target: 60_000, overhead: 40_000 };
    const { target } = priceBudget(beside, DEFAULT_PRICES, { ...usual, touches: 100_000, returns: 0 });
    expect(target).toBeGreaterThanOrEqual(50_000);
    expect(target).toBeLessThan(50_100);
  });
});

describe('a session at the trigger that prices make', () => {
  const run = async (turns: number, words = 900) => {
    const session = createSession({ window: 200_000 });
    let view = await session.view();
    for (let i = 0; i < turns && view.receipt === undefined; i++) {
      session.append(user(`Turn mill ${i}.`));
      view = await session.view();
      session.append(assistant(`Mill ${i} turns: ${long('wheel', words)}`));
    }
    return { session, view };
  };

  it('compacts there, far below its limit, down to the target, and says so', async () => {
    const { session, view } = await run(400);
    const { budget: now } = session.status();
    expect(now.trigger).toBeLessThan(110_000);
    expect(now.ceiling).toBe(167_000);
    expect(view.tokens).toBeLessThanOrEqual(now.target);
    expect(view.receipt!.tokensBefore).toBeLessThan(now.trigger + 3_000);
    expect(view.receipt!.reason).toMatch(
      /^cheapest at \d+ tokens, by 0.3 a million read and 3.75 written; the limit is 167000/,
    );
  });

  /** A session of sixty calls. */
  const workOn = (makeCall: (i: number) => CallPart, options: Partial<BudgetOptions> = {}) => {
    const session = createSession({ window: 200_000, ...options });
    session.append(user('Look after the mill.'));
    for (let i = 0; i < 60; i++) {
      session.append(assistant([text(`Look ${i}.`), makeCall(i)]));
      session.append(results([result(`c${i}`, long('wheel', 600))]));
    }
    return session;
  };
  const triggerAfter = (makeCall: (i: number) => CallPart): number => workOn(makeCall).status().budget.trigger;

  it('compacts sooner where every file is read once, and later where files are come back to, by whatever tool', () => {
    const read = (path: (i: number) => string) => triggerAfter((i) => call(`c${i}`, 'Read', { file_path: path(i) }));
    const cat = (path: (i: number) => string) =>
      triggerAfter((i) => call(`c${i}`, 'bash', { command: `cat ${path(i)}` }));
    const [once, again] = [(i: number) => `src/f${i}.ts`, (i: number) => `src/f${i % 20}.ts`];
    expect(read(once)).toBeLessThan(read(again) - 10_000);
    expect(cat(once)).toBeLessThan(cat(again) - 10_000);
  });

  it('keeps fewer of the newest results where every file is read once, unless a host says how much stays', async () => {
    const keptOf = async (options: Partial<BudgetOptions>): Promise<number> => {
      const session = workOn((i) => call(`c${i}`, 'Read', { file_path: `src/f${i}.ts` }), options);
      const { messages } = await session.view();
      return messages.filter(({ parts }) => parts.some((part) => part.type === 'result')).length;
    };
    const stated = await keptOf({ window: 64_000, keep: { fraction: 0.25 } });
    expect(await keptOf({ window: 64_000 })).toBeLessThan(stated);
  });

  it('whoever recalls what was hidden comes back to it', () => {
    const recall = (name: string) =>
      triggerAfter((i) =>
        i % 3 === 2 ? call(`c${i}`, name, { ref: `e${i}` }) : call(`c${i}`, 'Read', { file_path: `src/f${i}.ts` }),
      );
    for (const name of ['recall', 'palimpsest_recall', 'mcp__palimpsest__recall'])
      expect(recall(name)).toBeGreaterThan(recall('other') + 10_000);
  });

  it('a view between trigger and ceiling that cannot be made smaller still fits', async () => {
    const session = createSession({ window: 200_000 });
    session.append(user(long('one request that nobody may cut', 18_000)));
    const view = await session.view();
    const { budget: now } = session.status();
    expect(view.tokens).toBeGreaterThan(now.trigger);
    expect(view).toMatchObject({ fits: true });
    expect(view.receipt?.lines.map((line) => line.layer) ?? []).not.toContain('drop-oldest-rounds');
  });
});
