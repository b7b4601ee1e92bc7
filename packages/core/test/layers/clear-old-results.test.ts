import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  clearOldResults,
  type Json,
  type Message,
  type NewMessage,
  result,
  results,
  stashLargeResults,
  text,
  user,
} from '../../src/index.ts';
import {
  bodies,
  budgetOf,
  decided,
  editsOf,
  entriesOf,
  inChars,
  picture,
  pressedTo,
  round,
  walkWith,
} from '../support/walks.ts';

const output = 'row of output\n'.repeat(60);
const rounds = (n: number, tool = 'bash'): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) =>
    round(`${tool}${i}`, tool, tool === 'bash' ? { command: `n ${i}` } : { q: i }, output),
  ).flat();
const cleared = (view: readonly Message[]): number => bodies(view).filter((body) => body.includes('cleared')).length;
const which = (view: readonly Message[]): string =>
  bodies(view)
    .map((body) => (body.includes('cleared') ? '-' : 'x'))
    .join('');

describe('clear-old-results: what is cleared', () => {
  it('only kinds of tools that can be asked again are cleared', () => {
    const history = [
      user('go'),
      ...Array.from({ length: 6 }, (_, i) => round(`t${i}`, 'todo_write', { todos: [] }, output)).flat(),
      ...Array.from({ length: 6 }, (_, i) => round(`q${i}`, 'mcp__db__query', { q: i }, output)).flat(),
      ...rounds(4),
    ];
    const { view } = walkWith(history, [clearOldResults({ mode: 'count', keep: 1 })]);
    expect(cleared(view)).toBe(3);
  });

  it.each<[tool: string, input: Json, goes: boolean]>([
    ['read', { path: 'a' }, true],
    ['bash', { command: 'a' }, true],
    ['grep', { pattern: 'a' }, true],
    ['glob', { pattern: 'a' }, true],
    ['web_search', { query: 'a' }, true],
    ['web_fetch', { url: 'a' }, true],
    ['edit', { path: 'a', old_string: 'a', new_string: 'b' }, true],
    ['write', { path: 'a', content: 'b' }, true],
    ['todo_write', { todos: [] }, false],
    ['update_plan', { plan: 'a' }, false],
    ['task', { prompt: 'a' }, false],
    ['skill', { skill: 'a' }, false],
    ['mcp__db__query', { q: 'a' }, false],
  ])('a result of %s %o goes: %s', (tool, input, goes) => {
    const history = [user('go'), ...round('old', tool, input, output), ...rounds(1)];
    const [body] = bodies(walkWith(history, [clearOldResults({ mode: 'count', keep: 1 })]).view);
    expect(body).toBe(goes ? `[${tool} result cleared; recall e1]` : output);
  });

  it('pictures, pins and what was already replaced stay as they are', () => {
    const history = [
      user('go'),
      ...round('pic', 'bash', { command: 'shot' }, [text(output), picture('shot.png')]),
      ...rounds(3),
    ];
    const layer = clearOldResults({ mode: 'count', keep: 1 });
    const made = walkWith(history, [layer], { ledger: decided({ pins: ['r-bash0'] }) });
    expect(which(made.view)).toBe('xx-x');
    const again = walkWith(history, [clearOldResults({ mode: 'count', keep: 2 }), layer]);
    expect(entriesOf(again).map((entry) => entry.edits.length)).toEqual([1, 1]);
  });
});

describe('clear-old-results by count', () => {
  it('count: the last 3 stay, older ones over 120 characters go, calls stay', () => {
    const history = [user('go'), ...round('s', 'bash', {}, 'x'.repeat(120)), ...rounds(6)];
    const { view } = walkWith(history, [clearOldResults({ mode: 'count' })]);
    expect(cleared(view)).toBe(3);
    expect(bodies(view)[0]).toHaveLength(120);
    expect(view.filter((message) => message.role === 'assistant')).toHaveLength(7);
  });

  it('121 characters go, and the length can be stated', () => {
    const history = [user('go'), ...round('s', 'bash', {}, 'word '.repeat(24).concat('x')), ...rounds(3)];
    expect(which(walkWith(history, [clearOldResults({ mode: 'count' })]).view)).toBe('-xxx');
    expect(which(walkWith(history, [clearOldResults({ mode: 'count', overChars: 121 })]).view)).toBe('xxxx');
  });

  it('the newest stay whatever tool they are of, and at least one does', () => {
    const history = [user('go'), ...rounds(2), ...rounds(2, 'mcp__db__query')];
    expect(which(walkWith(history, [clearOldResults({ mode: 'count', keep: 3 })]).view)).toBe('-xxx');
    expect(which(walkWith([user('go'), ...rounds(3)], [clearOldResults({ mode: 'count', keep: 0 })]).view)).toBe('--x');
  });

  it('s08 S14 S15: where every tool is meant none is spared, and a preview gives way once it is old', () => {
    const history = [
      user('go'),
      ...round('t', 'todo_write', { todos: [] }, output),
      ...round('s', 'load_skill', { name: 'x' }, output),
      ...round('m', 'mcp__db__query', { q: 1 }, 'y'.repeat(9_000)),
      ...rounds(3),
    ];
    const layers = [stashLargeResults({ overChars: 5_000 }), clearOldResults({ mode: 'count', tools: 'every' })];
    const made = walkWith(history, layers);
    expect(which(made.view)).toBe('---xxx');
    expect(bodies(made.view)[2]).toBe('[mcp__db__query result cleared; recall e2]');
    expect(which(walkWith(history, [clearOldResults({ mode: 'count' })]).view)).toBe('xxxxxx');
  });

  it('with nothing new to send it waits, unless there is pressure', () => {
    const history = [user('go'), ...rounds(6)];
    const seen = decided({ seen: history.length });
    const layer = clearOldResults({ mode: 'count' });
    expect(editsOf(walkWith(history, [layer], { ledger: seen }))).toEqual([]);
    expect(editsOf(walkWith(history, [layer], { ledger: seen, budget: pressedTo(10) }))).toHaveLength(3);
    expect(editsOf(walkWith(history, [layer], { ledger: decided({ seen: history.length - 1 }) }))).toHaveLength(3);
  });

  it('s08 S16: behind results that an earlier call cleared it finds every one that is left', () => {
    const left = (clearedBefore: number): string => {
      const history = [user('go'), ...rounds(clearedBefore + 2)];
      const earlier = walkWith(history, [clearOldResults({ mode: 'count', keep: 1 })], {
        ledger: decided({ pins: ['r-bash0'] }),
      }).ledger;
      const unpinned = { ...earlier, entries: [...earlier.entries, { type: 'unpin', message: 'r-bash0' } as const] };
      const grown = [...history, ...round('new', 'bash', { command: 'new' }, output)];
      return which(walkWith(grown, [clearOldResults({ mode: 'count', keep: 2 })], { ledger: unpinned }).view);
    };
    expect(left(3)).toBe('----xx');
    expect(left(4)).toBe('-----xx');
  });
});

describe('clear-old-results by age', () => {
  const big = 'word '.repeat(10_000);
  const turn = (i: number, tool = 'bash'): readonly NewMessage[] => [
    user(`turn ${i}`),
    ...round(`t${i}`, tool, { command: 'x' }, big),
  ];

  it('prune: two turns and the newest 40,000 tokens of output are safe, at least 20,000 must go, some tools never do', () => {
    const layer = clearOldResults({ mode: 'prune', when: 'batch', exceptTools: ['skill'] });
    const few = [0, 1, 2, 3, 4].flatMap((i) => turn(i));
    expect(cleared(walkWith(few, [layer]).view)).toBe(0);
    const many = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((i) => turn(i));
    expect(cleared(walkWith(many, [layer]).view)).toBeGreaterThanOrEqual(3);
    expect(
      bodies(walkWith(many, [layer]).view)
        .slice(-3)
        .every((body) => body === big),
    ).toBe(true);
    const skills = [...turn(90, 'skill'), ...many];
    expect(bodies(walkWith(skills, [layer]).view)[0]).toBe(big);
  });

  /** Turns of one round each, whose results have 1,000 characters; tokens are characters. */
  const turns = (n: number, tool = 'bash'): readonly NewMessage[] =>
    Array.from({ length: n }, (_, i) => [
      user('?'),
      ...round(`${tool}${i}`, tool, { command: 'x' }, 'y'.repeat(1_000)),
    ]).flat();
  const prune = { mode: 'prune', protectTurns: 1, protectTokens: 2_000, minimumTokens: 900 } as const;

  it('is what it does without options, and only under pressure', () => {
    const history = turns(9);
    expect(editsOf(walkWith(history, [clearOldResults()], inChars))).toEqual([]);
    const tight = { ...inChars, budget: pressedTo(100, { effective: 8_000 }) };
    // A quarter of 8,000 is safe: the newest two results.
    expect(which(walkWith(history, [clearOldResults()], tight).view)).toBe('-------xx');
    expect(editsOf(walkWith(history, [clearOldResults({ mode: 'prune' })], tight))).toHaveLength(7);
  });

  it('the newest output is safe as far as the shield reaches, and not a token further', () => {
    const made = (protectTokens: number): string =>
      which(
        walkWith(turns(6), [clearOldResults({ ...prune, protectTokens })], { ...inChars, budget: pressedTo(100) }).view,
      );
    expect(made(2_999)).toBe('----xx');
    expect(made(3_000)).toBe('---xxx');
    expect(made(0)).toBe('-----x');
  });

  it('the last turns are safe, however little the shield covers', () => {
    const made = (protectTurns?: number): string =>
      which(
        walkWith(
          turns(6),
          [
            clearOldResults({
              mode: 'prune',
              protectTokens: 0,
              minimumTokens: 900,
              ...(protectTurns === undefined ? {} : { protectTurns }),
            }),
          ],
          { ...inChars, budget: pressedTo(100) },
        ).view,
      );
    expect(made()).toBe('----xx');
    expect(made(1)).toBe('-----x');
    expect(made(4)).toBe('--xxxx');
  });

  it('one endless turn shields nothing: then only the newest output is safe', () => {
    const endless = [user('?'), ...turns(6).filter((message) => message.origin !== 'human')];
    const told = { ...inChars, budget: pressedTo(100) };
    expect(which(walkWith(endless, [clearOldResults(prune)], told).view)).toBe('----xx');
    // Where the old turns free enough, the current one is left alone.
    const both = [...turns(2), ...endless.map((message) => ({ ...message, id: undefined as never }))];
    expect(which(walkWith(both, [clearOldResults(prune)], told).view)).toBe('--xxxxxx');
  });

  it('shares of the effective window take the place of figures that are larger', () => {
    const made = (effective: number, more: object): string =>
      which(
        walkWith(turns(6), [clearOldResults({ mode: 'prune', protectTurns: 1, ...more })], {
          ...inChars,
          budget: pressedTo(100, { effective }),
        }).view,
      );
    // The head is no part of what messages can take.
    expect(made(12_100, { minimumTokens: 1 })).toBe('---xxx');
    expect(made(12_100, { minimumTokens: 1, protectFraction: 0.1 })).toBe('-----x');
    expect(made(2_000_000, { minimumTokens: 1, protectTokens: 2_000 })).toBe('----xx');
  });

  it('under pressure it acts where it frees the minimum, or all that must go', () => {
    const freed = 4 * (1_000 - '[bash result cleared; recall e1]'.length);
    const whole = 6 * (1_000 + 1 + '{"command":"x"}'.length);
    const acts = (minimumTokens: number, over: number): boolean =>
      editsOf(
        walkWith(turns(6), [clearOldResults({ ...prune, minimumTokens, minimumFraction: 1 })], {
          ...inChars,
          budget: pressedTo(whole - over),
        }),
      ).length > 0;
    expect(acts(freed, freed + 1)).toBe(true);
    expect(acts(freed + 1, freed + 1)).toBe(false);
    expect(acts(freed + 1, freed)).toBe(true);
    expect(acts(1e6, 10)).toBe(true);
  });

  it('pressure of bytes alone counts; pressure of images or messages does not', () => {
    const history = turns(6);
    const acts = (limits: object, more = {}): boolean =>
      editsOf(walkWith(history, [clearOldResults(prune)], { ...inChars, budget: budgetOf({ limits, ...more }) }))
        .length > 0;
    expect(acts({ bytes: 2_000 })).toBe(true);
    expect(acts({ bytes: 2_000_000 })).toBe(false);
    expect(acts({}, { triggerMessages: 3, targetMessages: 2 })).toBe(false);
  });

  it('in batches: without pressure it waits until the minimum can be freed, and acts at once then', () => {
    const batch = clearOldResults({ ...prune, when: 'batch', minimumTokens: 1_900 });
    const before = (n: number, seen: number) =>
      editsOf(walkWith(turns(n), [batch], { ...inChars, ledger: decided({ seen }) })).length;
    expect(before(3, 0)).toBe(0);
    expect(before(4, 0)).toBe(2);
    expect(before(4, 11)).toBe(2);
    // With nothing new to send there is nothing to look at.
    expect(before(4, 12)).toBe(0);
    expect(editsOf(walkWith(turns(4), [clearOldResults(prune)], inChars))).toEqual([]);
  });

  it('a batch goes even where it does not pay, and does not claim that it does', () => {
    const made = walkWith(turns(6), [clearOldResults({ ...prune, when: 'batch' })], inChars);
    expect(entriesOf(made)[0]!.reason).toBe('a batch is full (3872 tokens go)');
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'clear-old-results', pressed: false });
    const prices = { input: 3, output: 15, cacheRead: 0.001, cacheWrite: 3.75 };
    const dear = walkWith(turns(6), [clearOldResults({ ...prune, when: 'batch' })], {
      ...inChars,
      cache: { state: 'warm', prices, remainingCalls: 20 },
    });
    expect(which(dear.view)).toBe('----xx');
    // What cannot be asked for again stays by age too.
    const foreign = [...rounds(3, 'mcp__db__query'), ...turns(6)];
    expect(which(walkWith(foreign, [clearOldResults(prune)], { ...inChars, budget: pressedTo(100) }).view)).toBe(
      'xxx----xx',
    );
  });

  it('where it must pay: a cold cache is reason enough, a warm one must earn it before the trigger', () => {
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const told = (state: 'cold' | 'warm', cacheRead = 0.3, budget = budgetOf({ trigger: 100_000 })) => ({
      ...inChars,
      budget,
      cache: { state, prices: { ...prices, cacheRead }, remainingCalls: 20 },
    });
    const layer = clearOldResults({ ...prune, when: 'pays' });
    const cold = walkWith(turns(6), [layer], told('cold'));
    expect(which(cold.view)).toBe('----xx');
    expect(entriesOf(cold)[0]!.reason).toBe('cold cache: 3872 tokens less to write');
    // 3,872 tokens in front of 2,225 that stay: (3.75 − 0.3) × 2,225 / (0.3 × 3,872) = 6.6 calls.
    const warm = walkWith(turns(6), [layer], told('warm'));
    expect(entriesOf(warm)[0]!.reason).toContain('pay back after 7 calls, 20 expected');
    expect(editsOf(walkWith(turns(6), [layer], told('warm', 0.05)))).toEqual([]);
    // Six answers took 6,096 tokens: at that pace the trigger is nearer than seven calls.
    expect(editsOf(walkWith(turns(6), [layer], told('warm', 0.3, budgetOf({ trigger: 13_000 }))))).toEqual([]);
    expect(editsOf(walkWith(turns(6), [layer], told('warm', 0.3, budgetOf({ trigger: 13_300 }))))).toHaveLength(4);
    // On a cold cache less than the minimum is worth it too, but only where something is to be sent.
    const little = clearOldResults({ ...prune, when: 'pays', minimumTokens: 1e6, minimumFraction: 1 });
    expect(editsOf(walkWith(turns(6), [little], told('cold')))).toHaveLength(4);
    expect(editsOf(walkWith(turns(6), [little], told('warm')))).toEqual([]);
    const seen = decided({ seen: 18 });
    expect(editsOf(walkWith(turns(6), [layer], { ...told('cold'), ledger: seen }))).toEqual([]);
  });

  it('says in the receipt why it was done now', () => {
    const reason = (trigger: 'auto' | 'manual' | 'tool' | 'idle' | 'overflow'): string | undefined =>
      entriesOf(walkWith(turns(6), [clearOldResults(prune)], { ...inChars, trigger, budget: pressedTo(100) }))[0]!
        .reason;
    expect(reason('auto')).toBe('the limit is near (3872 tokens go)');
    expect(reason('overflow')).toBe('the limit is near (3872 tokens go)');
    expect(reason('manual')).toBe('asked for (3872 tokens go)');
    expect(reason('tool')).toBe('asked for by the model (3872 tokens go)');
    expect(reason('idle')).toBe('done while idle (3872 tokens go)');
  });

  it('OC4: results that came in one message are each counted for what they are', () => {
    const many = [
      user('?'),
      assistant([call('p', 'bash', { command: 'x' }), call('q', 'bash', { command: 'x' })]),
      results([result('p', 'y'.repeat(1_000)), result('q', 'y'.repeat(1_000))]),
      ...turns(2),
    ];
    const made = (protectTokens: number): string =>
      which(
        walkWith(many, [clearOldResults({ ...prune, protectTokens })], { ...inChars, budget: pressedTo(100) }).view,
      );
    expect(made(2_999)).toBe('--xx');
    expect(made(3_000)).toBe('-xxx');
    expect(made(3_999)).toBe('-xxx');
    expect(made(4_000)).toBe('xxxx');
    // Ten results of 3,000 tokens lie behind a shield of 40,000, in ten messages as in one.
    const ids = Array.from({ length: 10 }, (_, i) => `c${i}`);
    const shield = clearOldResults({ mode: 'prune', minimumTokens: 1, protectTurns: 1 });
    const apart = ids.flatMap((id) => round(id, 'bash', { command: id }, 'y'.repeat(3_000)));
    const together = [
      assistant(ids.map((id) => call(id, 'bash', { command: id }))),
      results(ids.map((id) => result(id, 'y'.repeat(3_000)))),
    ];
    for (const history of [apart, together])
      expect(
        which(walkWith([user('?'), ...history, user('!')], [shield], { ...inChars, budget: pressedTo(100) }).view),
      ).toBe('xxxxxxxxxx');
  });

  it('OC3 OC5: where pressure changes nothing, the last turns stay safe and less than the minimum stays', () => {
    const endless = [user('?'), ...turns(6).filter((message) => message.origin !== 'human')];
    const told = { ...inChars, budget: pressedTo(100) };
    const same = clearOldResults({ ...prune, underPressure: 'same' });
    expect(which(walkWith(endless, [same], told).view)).toBe('xxxxxx');
    expect(which(walkWith(turns(6), [same], told).view)).toBe('----xx');
    const more = clearOldResults({ ...prune, minimumTokens: 5_000, minimumFraction: Infinity, underPressure: 'same' });
    expect(which(walkWith(turns(6), [more], { ...inChars, budget: pressedTo(6_000) }).view)).toBe('xxxxxx');
  });

  it('OC6 OC7 OC8: results of every tool may go, except of those named by name or kind, and of failed calls', () => {
    const history = [
      user('?'),
      ...round('m', 'mcp__db__query', { q: 1 }, 'y'.repeat(1_000)),
      ...round('t', 'task', { prompt: 'x' }, 'y'.repeat(1_000)),
      ...round('s', 'load_skill', { name: 'x' }, 'y'.repeat(1_000)),
      ...round('f', 'bash', { command: 'x' }, 'y'.repeat(1_000), true),
      ...turns(4),
    ];
    const told = { ...inChars, budget: pressedTo(100) };
    const open = { ...prune, tools: 'every', exceptTools: ['skill'], keepFailed: true } as const;
    expect(which(walkWith(history, [clearOldResults(open)], told).view)).toBe('--xx--xx');
    expect(which(walkWith(history, [clearOldResults({ ...open, exceptTools: ['mcp__db__query'] })], told).view)).toBe(
      'x--x--xx',
    );
    expect(which(walkWith(history, [clearOldResults(prune)], told).view)).toBe('xxx---xx');
  });
});
