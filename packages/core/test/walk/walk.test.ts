import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Budget,
  budget,
  call,
  type Edit,
  emptyLedger,
  type Layer,
  type Look,
  type NativeEdit,
  type Need,
  type NewMessage,
  plan,
  presets,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import {
  budgetOf,
  type Circumstances,
  decided,
  editsOf,
  entriesOf,
  idsOf,
  inChars,
  layersIn,
  picture,
  round,
  walkWith,
} from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** What a layer at the end of the list sees. */
function lookAfter(
  history: readonly NewMessage[],
  told: Circumstances = {},
  before: readonly Layer[] = [],
): { look: Look; made: ReturnType<typeof walkWith> } {
  const looks: Look[] = [];
  const probe: Layer = {
    name: 'probe',
    decide(look) {
      looks.push(look);
      return { edits: [] };
    },
  };
  const made = walkWith(history, [...before, probe], { ...inChars, ...told });
  return { look: looks[0]!, made };
}
const replacing = (message: string, excerpt: string, name = 'mine'): Layer => ({
  name,
  decide: (look) => ({ edits: [{ type: 'replace', ref: look.ref(0), message, part: 0, excerpt: [excerpt] }] }),
});
/** Ten messages of 100 characters. */
const ten: readonly NewMessage[] = Array.from({ length: 10 }, (_, i) =>
  i % 2 === 0 ? user('q'.repeat(100), `m${i}`) : assistant('a'.repeat(100), `m${i}`),
);

describe('the walk', () => {
  it('does to a fixed history what it did before (golden)', async () => {
    const history = [
      user('Fix the date parser, and never touch migrations/.'),
      ...Array.from({ length: 14 }, (_, i) => [
        ...round(
          `r${i}`,
          'read',
          { path: `src/file-${i % 5}.ts` },
          `export const n${i % 5} = ${i % 5};\n${'// body\n'.repeat(120)}`,
        ),
        ...round(`b${i}`, 'bash', { command: `npm test -- ${i}` }, `${'ok line\n'.repeat(900)}FAIL ${i}`),
        ...(i % 4 === 0 ? [assistant(`Step ${i} is done.`), user(`Go on with step ${i + 1}.`)] : []),
      ]).flat(),
    ];
    const lines = Object.entries(presets).map(([name, preset]) => {
      const made = walkWith(history, preset(), {
        budget: budget({ window: 12_000, maxOutput: 1_000 }),
      });
      const steps = made.visits
        .filter((visit) => visit.edits > 0)
        .map((visit) => `  ${visit.layer}: ${visit.edits} edits, ${visit.tokensBefore} -> ${visit.tokensAfter}`);
      return [`${name}: ${made.view.length} messages, ${made.tokens} tokens`, ...steps].join('\n');
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/walk.txt');
  });

  it('leads the view through the layers in order: each sees what the one before left', () => {
    const seen: string[] = [];
    const telling = (name: string): Layer => ({
      name,
      decide(look) {
        seen.push(`${name} ${textOf([look.slots[0]!.message]).length} ${look.ref(0)} ${look.ref(2)}`);
        return replacing('m0', 'x'.repeat(Number(name))).decide(look);
      },
    });
    const made = walkWith(ten, [telling('50'), telling('20')], inChars);
    expect(seen).toEqual(['50 100 e1 e3', '20 50 e2 e4']);
    expect(made.visits).toEqual([
      { layer: '50', edits: 1, needs: 0, tokensBefore: 1_000, tokensAfter: 950 },
      { layer: '20', edits: 1, needs: 0, tokensBefore: 950, tokensAfter: 920 },
    ]);
    expect(made.tokens).toBe(920);
    expect(layersIn(made)).toEqual(['50', '20']);
  });

  it('references and walks are counted on from what was decided before', () => {
    const first = walkWith(ten, [replacing('m0', 'x')], inChars);
    const second = walkWith(ten, [replacing('m1', 'x')], { ...inChars, ledger: first.ledger });
    expect(editsOf(second).map((edit) => edit.ref)).toEqual(['e1', 'e2']);
    expect(entriesOf(second).map((entry) => entry.walk)).toEqual([1, 2]);
  });

  it('an entry says when, why and how far: trigger, pressure, what was over, the reason', () => {
    const reasoned: Layer = {
      name: 'mine',
      decide: (look) => ({ ...replacing('m0', 'x').decide(look), reason: 'so' }),
    };
    const made = walkWith(ten, [reasoned], {
      ...inChars,
      trigger: 'manual',
      budget: budgetOf({ trigger: 1_000, target: 700 }),
    });
    expect(entriesOf(made)).toEqual([
      {
        type: 'edits',
        walk: 1,
        layer: 'mine',
        trigger: 'manual',
        edits: [{ type: 'replace', ref: 'e1', message: 'm0', part: 0, excerpt: ['x'] }],
        tokensBefore: 1_000,
        tokensAfter: 901,
        pressed: true,
        over: 300,
        // The head.
        overhead: 100,
        room: { window: 2_000_000, trigger: 1_000, target: 700 },
        declared: false,
        reason: 'so',
      },
    ]);
    const quiet = entriesOf(walkWith(ten, [replacing('m0', 'x')], inChars))[0]!;
    expect(quiet).toMatchObject({ trigger: 'auto', pressed: false, over: 0 });
    expect(quiet).not.toHaveProperty('reason');
  });

  it('a change of what a model was shown is declared; of fresh messages, and what is put behind one, is not', () => {
    const inserting: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          { type: 'replace', ref: look.ref(0), message: 'm9', part: 0, excerpt: ['x'] },
          {
            type: 'insert',
            ref: look.ref(1),
            after: 'm0',
            messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('+')] }],
          },
        ],
      }),
    };
    const declared = (layer: Layer, seen: number): boolean =>
      entriesOf(walkWith(ten, [layer], { ...inChars, ledger: decided({ seen }) }))[0]!.declared;
    expect(declared(replacing('m4', 'x'), 4)).toBe(false);
    expect(declared(replacing('m4', 'x'), 5)).toBe(true);
    expect(declared(inserting, 9)).toBe(false);
    expect(declared(inserting, 10)).toBe(true);
  });

  it('needs and native edits of all layers are handed on; while there are needs nothing is decided', () => {
    const need: Need = { type: 'stash', key: 'k', text: 't' };
    const native: NativeEdit = { type: 'clear-results', keep: 3 };
    const asking = (more: object): Layer => ({ name: 'asking', decide: () => ({ edits: [], ...more }) });
    const made = walkWith(
      ten,
      [asking({ needs: [need] }), replacing('m0', 'x'), asking({ native: [native] })],
      inChars,
    );
    expect(made.needs).toEqual([need]);
    expect(made.native).toEqual([native]);
    expect(made.visits.map((visit) => visit.needs)).toEqual([1, 0, 0]);
    expect(made.ledger).toEqual(emptyLedger);
    const met = walkWith(ten, [asking({ needs: [] })], inChars);
    expect(met.ledger.entries).toEqual([{ type: 'seen', count: 10 }]);
    expect(walkWith(ten, [], { ...inChars, ledger: met.ledger }).ledger).toEqual(met.ledger);
  });
});

describe('pressure', () => {
  const overs = (figures: Partial<Budget>, history = ten, before: readonly Layer[] = []) => {
    const { look } = lookAfter(history, { budget: budgetOf(figures) }, before);
    return { ...look.over, pressed: look.pressed };
  };
  const calm = { tokens: 0, bytes: 0, images: 0, messages: 0, pressed: false };

  it('on tokens begins at the trigger and reaches down to the target', () => {
    expect(overs({ trigger: 1_001, target: 400 })).toEqual(calm);
    expect(overs({ trigger: 1_000, target: 400 })).toEqual({ ...calm, tokens: 600, pressed: true });
    // Of messages without a head, which would stay.
    expect(overs({ trigger: 900, target: 1_200 }, ten.slice(1))).toEqual(calm);
  });

  it('once begun it lasts until the target is reached, though a layer brought the view below the trigger', () => {
    expect(overs({ trigger: 1_000, target: 400 }, ten, [replacing('m0', 'x')])).toMatchObject({ tokens: 501 });
    const folding: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'].map(
          (message, i): Edit => ({ type: 'replace', ref: look.ref(i), message, part: 0, excerpt: [''] }),
        ),
      }),
    };
    expect(overs({ trigger: 1_000, target: 400 }, ten, [folding])).toEqual(calm);
  });

  it('on messages begins over their limit and reaches down to their target', () => {
    expect(overs({ triggerMessages: 10, targetMessages: 4 })).toEqual(calm);
    expect(overs({ triggerMessages: 9, targetMessages: 4 })).toEqual({ ...calm, messages: 6, pressed: true });
  });

  it('on bytes and images begins over the limit and reaches down to three quarters of it', () => {
    // A message of 100 characters is 200 bytes on the wire.
    expect(overs({ limits: { bytes: 2_000 } })).toEqual(calm);
    expect(overs({ limits: { bytes: 1_999 } })).toEqual({ ...calm, bytes: 2_000 - 1_499, pressed: true });
    const shown = [user([text('look'), ...[1, 2, 3, 4, 5].map((n) => picture(`p${n}`))])];
    expect(overs({ limits: { images: 5 } }, shown)).toEqual(calm);
    expect(overs({ limits: { images: 4 } }, shown)).toEqual({ ...calm, images: 2, pressed: true });
    expect(overs({ limits: { images: 3 } }, shown)).toEqual({ ...calm, images: 3, pressed: true });
  });

  it('what is sent besides the messages counts, in tokens and in bytes', () => {
    const system = 'be brief and kind';
    const bare = walkWith(ten, []);
    const dressed = plan(ten, emptyLedger, { budget: budgetOf({}), layers: [], system, tools: [{ name: 'x' }] });
    expect(dressed.tokens).toBeGreaterThan(bare.tokens + 4);
    expect(walkWith(ten, [], { ...inChars, system }).tokens).toBeGreaterThan(1_000);
    const bytes = lookAfter(ten, { system, budget: budgetOf({ limits: { bytes: 2_000 } }) }).look.over.bytes;
    expect(bytes).toBe(2_000 + system.length * 2 - 1_500);
  });

  it('a view fits within the trigger and all limits, each to the last one', () => {
    const fits = (figures: Partial<Budget>, told: Circumstances = {}): boolean =>
      walkWith(ten, [], { ...inChars, budget: budgetOf(figures), ...told }).fits;
    expect(fits({ trigger: 1_000 })).toBe(true);
    expect(fits({ trigger: 999 })).toBe(false);
    expect(fits({ triggerMessages: 10 })).toBe(true);
    expect(fits({ triggerMessages: 9 })).toBe(false);
    expect(fits({ limits: { bytes: 2_000 } })).toBe(true);
    expect(fits({ limits: { bytes: 1_999 } })).toBe(false);
    expect(fits({ limits: { bytes: 2_000 } }, { system: 'x' })).toBe(false);
    const shown = [user([text('look'), picture('a'), picture('b')])];
    const images = (limit: number) =>
      walkWith(shown, [], { ...inChars, budget: budgetOf({ limits: { images: limit } }) }).fits;
    expect([images(2), images(1)]).toEqual([true, false]);
  });
});

describe('what a layer sees', () => {
  it('which messages are fresh, and how much they are', () => {
    const { look } = lookAfter(ten, { ledger: decided({ seen: 7 }) });
    expect([look.fresh, look.freshTokens, look.tokens]).toEqual([7, 300, 1_000]);
    expect(lookAfter(ten).look.fresh).toBe(0);
    expect(lookAfter(ten, { ledger: decided({ seen: 10 }) }).look).toMatchObject({ fresh: 10, freshTokens: 0 });
  });

  it('the view before the walk, though layers have changed it since', () => {
    const { look } = lookAfter(ten, {}, [replacing('m0', 'x')]);
    expect(textOf([look.slots[0]!.message])).toBe('x');
    expect(textOf([look.shown.slots[0]!.message])).toBe('q'.repeat(100));
    expect([look.tokens, look.shown.tokens]).toEqual([901, 1_000]);
    expect(textOf([look.original(look.slots[0]!)])).toBe('q'.repeat(100));
  });

  it('the transcript behind a slot, pins, places and calls in flight', () => {
    const folding: Layer = {
      name: 'mine',
      decide: (look) => ({
        edits: [
          {
            type: 'fold',
            ref: look.ref(0),
            from: 'm2',
            to: 'm4',
            messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [text('-')] }],
            hides: { messages: 3, bytes: 1 },
          },
        ],
      }),
    };
    const { look } = lookAfter(ten, { ledger: decided({ pins: ['m1'] }) }, [folding]);
    expect(idsOf(look.behind(look.slots[1]!, look.slots[2]!))).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect([look.placeOf('m5'), look.placeOf('nobody')]).toEqual([5, undefined]);
    expect([look.isPinned('m1'), look.isPinned('m2')]).toEqual([true, false]);
    expect(look.hasOpenCalls).toBe(false);
    const flying = [user('go'), assistant([call('x', 'bash')], 'c')];
    const open = lookAfter(flying);
    expect(open.look.hasOpenCalls).toBe(true);
    expect(idsOf(open.made.view)).toEqual(['m1', 'c', 'c/unanswered']);
    expect(open.made.tokens).toBe('go'.length + '{}'.length + 'No result yet.'.length);
    expect(open.look.shown.tokens).toBe(open.made.tokens);
  });

  it('the time, by the host’s clock or the newest message', () => {
    const timed = [...ten, { ...user('now'), at: 77 }];
    expect(lookAfter(timed).look.given.now).toBe(77);
    expect(lookAfter(timed, { now: 99 }).look.given.now).toBe(99);
    expect(lookAfter(ten).look.given.now).toBeUndefined();
  });

  it('the circumstances as they were told, and what is assumed where nobody told', () => {
    const { look } = lookAfter(ten);
    expect(look.given).toMatchObject({
      trigger: 'auto',
      subagent: false,
      asked: {},
      wire: { reasoning: 'free', nativeEditing: false },
      cache: { state: 'unknown', remainingCalls: 20 },
    });
    expect(lookAfter(ten, { subagent: true, asked: { form: 'all' } }).look.given).toMatchObject({
      subagent: true,
      asked: { form: 'all' },
    });
    const fact = { type: 'stashed', key: 'k', ref: 's1' } as const;
    expect(lookAfter(ten, { facts: [fact] }).look.given.facts.get('k')).toEqual(fact);
    expect(lookAfter(ten).look.given.facts.get('k')).toBeUndefined();
  });

  it('digests of any part of the transcript, whatever was asked before', () => {
    const history = Array.from({ length: 12 }, (_, i) =>
      i % 2 === 0
        ? user(`Please keep rule ${i} of the house.`)
        : assistant(`Rule ${i - 1} is kept in src/rule_${i - 1}.ts.`),
    );
    const { look } = lookAfter(history);
    const whole = look.digest(0, 11, 2_000).text;
    const alone = lookAfter(history).look;
    expect(alone.digest(0, 3, 2_000).text).not.toContain('rule_8.ts');
    expect(alone.digest(4, 7, 2_000).text).not.toContain('rule_0.ts');
    expect(alone.digest(4, 7, 2_000).text).toContain('rule_4.ts');
    expect(alone.digest(0, 11, 2_000).text).toBe(whole);
    expect(alone.digest(0, 3, 2_000).text).toBe(lookAfter(history).look.digest(0, 3, 2_000).text);
  });
});

describe('plan()', () => {
  it('takes the default preset where no layers are stated, and nothing for a missing ledger', () => {
    const made = plan(ten, undefined as never, { budget: budgetOf({}) });
    expect(made.visits.map((visit) => visit.layer)).toEqual(presets.default().map((layer) => layer.name));
  });

  it('refuses a ledger that is not of this transcript, by the position of the entry', () => {
    const { ledger } = walkWith(ten, [replacing('m3', 'x')], inChars);
    expect(() => walkWith([user('another')], [], { ledger })).toThrow(
      expect.objectContaining({
        code: 'bad-ledger',
        message: expect.stringMatching(/^ledger\.entries\.0: edit e1 names message "m3".*of one session\.$/),
      }),
    );
  });

  it('refuses a broken history, or mends it where that was asked for', () => {
    const broken = [user('go'), results([result('nowhere', 'lost')])];
    expect(() => walkWith(broken, [])).toThrow(expect.objectContaining({ code: 'orphan-result' }));
    const { view } = plan(broken, emptyLedger, { budget: budgetOf({}), layers: [], lenient: true });
    expect(textOf(view)).toContain('lost');
  });
});
