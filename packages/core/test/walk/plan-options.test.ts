import { describe, expect, it } from 'vitest';
import { emptyLedger, type PlanOptions, plan, presets, user } from '../../src/index.ts';
import { checkLayers } from '../../src/walk/check-layers.ts';
import { decided, inChars, roomy, walkWith } from '../support/walks.ts';

const planning = (options: object | undefined) => () =>
  plan([user('go', 'u')], emptyLedger, options as unknown as PlanOptions);
const refusal = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'bad-option',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

describe('plan(): an option that is misspelt or mistyped is refused by its name and by what it must be', () => {
  it('the budget is needed, and is what budget() makes', () => {
    const needed = 'plan() needs the option "budget": a budget, as budget({ window }) makes it.';
    expect(planning({})).toThrow(refusal(needed));
    expect(planning(undefined)).toThrow(refusal(needed));
    for (const value of [200_000, 'large', null, { window: 200_000 }, { effective: 1 }, { target: 1 }])
      expect(planning({ budget: value })).toThrow(
        refusal(/^plan\(\): the option "budget" must be a budget, as budget\(\{ window \}\) makes it, not /),
      );
    expect(planning({ budget: roomy })).not.toThrow();
  });

  it('what may be asked for and what was told are a Set and a Map', () => {
    const given = (more: object) => planning({ budget: roomy, ...more });
    expect(given({ can: ['stash'] })).toThrow(
      refusal('plan(): the option "can" must be a Set of "stash", "summary", "carry" and "hooks", not ["stash"].'),
    );
    expect(given({ facts: [] })).toThrow(
      refusal('plan(): the option "facts" must be a Map of facts by their keys, not [].'),
    );
    expect(given({ can: new Set(['stash']), facts: new Map() })).not.toThrow();
  });

  it('every trigger has its name, and there is no other', () => {
    for (const trigger of ['auto', 'manual', 'overflow', 'tool', 'idle', 'switch'])
      expect(planning({ budget: roomy, trigger })).not.toThrow();
    expect(planning({ budget: roomy, trigger: 5_000 })).toThrow(refusal(/"trigger" must be "auto" or "manual"/));
    expect(planning({ budget: roomy, trigger: '' })).toThrow(refusal(/"trigger"/));
  });

  it('an option nobody knows is an error that names those there are', () => {
    expect(planning({ budget: roomy, layer: [] })).toThrow(refusal(/^plan\(\) has no option "layer"\. .*layers/));
  });
});

describe('plan(): what is no list of layers is refused by what is wrong with it', () => {
  const layers = (value: unknown) => planning({ budget: roomy, layers: value });

  it('a preset that was not called, or one layer without a list', () => {
    expect(layers(presets.default)).toThrow(refusal(/^plan\(\): the option "layers" must be a list/));
    expect(layers(presets.default()[0])).toThrow(refusal(/^plan\(\): the option "layers" must be a list/));
    expect(layers([])).not.toThrow();
  });

  it('said in the same words where no other check came before', () => {
    expect(() => checkLayers('mine()', 'all' as never)).toThrow(
      refusal('mine(): the option "layers" must be a list of layers, not "all".'),
    );
    expect(() => checkLayers('mine()', undefined)).not.toThrow();
  });

  it('a layer without a name, by its number; one without decide(), by its name', () => {
    const fine = { name: 'fine', decide: () => ({ edits: [] }) };
    const nameless = 'plan(): the option "layers" must be a list of layers, and number 2 of them has no name.';
    for (const layer of [{ decide: fine.decide }, { ...fine, name: '' }, { ...fine, name: 3 }, null, undefined])
      expect(layers([fine, layer])).toThrow(refusal(nameless));
    for (const decide of [undefined, {}])
      expect(layers([{ name: 'idle', decide }])).toThrow(
        refusal('plan(): the option "layers" must be a list of layers, and "idle" has no decide().'),
      );
    expect(layers([fine, fine])).not.toThrow();
  });
});

describe('plan(): what it is told counts', () => {
  it('tools and system prompt, in tokens and in bytes, each for itself', () => {
    const history = [user('x'.repeat(100))];
    const sized = (more: object) => plan(history, emptyLedger, { budget: roomy, layers: [], ...more });
    const [bare, system, tools] = [sized({}), sized({ system: 'be brief' }), sized({ tools: [{ name: 'search' }] })];
    expect(system.tokens).toBeGreaterThan(bare.tokens);
    expect(tools.tokens).toBeGreaterThan(bare.tokens);
    expect(sized({ system: 'be brief', tools: [{ name: 'search' }] }).tokens - bare.tokens).toBe(
      system.tokens - bare.tokens + (tools.tokens - bare.tokens),
    );
    const fits = (bytes: number, more: object) => sized({ ...more, budget: { ...roomy, limits: { bytes } } }).fits;
    // 100 characters and the frame of a message are 200 bytes; what stands besides counts two bytes a character.
    expect([fits(200, {}), fits(199, {})]).toEqual([true, false]);
    expect([fits(216, { system: 'be brief' }), fits(215, { system: 'be brief' })]).toEqual([true, false]);
    const json = '[{"name":"search"}]'.length;
    const listed = { tools: [{ name: 'search' }] };
    expect([fits(200 + 2 * json, listed), fits(199 + 2 * json, listed)]).toEqual([true, false]);
  });

  it('a ledger is made longer by what was seen only where something was', () => {
    const told = (seen: number) => walkWith([user('a'), user('b')], [], { ...inChars, ledger: decided({ seen }) });
    expect(told(2).ledger.entries).toEqual([{ type: 'seen', count: 2 }]);
    expect(told(1).ledger.entries).toEqual([
      { type: 'seen', count: 1 },
      { type: 'seen', count: 2 },
    ]);
  });
});
