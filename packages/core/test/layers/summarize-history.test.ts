import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Budget,
  type CarryItem,
  call,
  type Fact,
  type FoldEdit,
  type Message,
  type Need,
  type NewMessage,
  reasoning,
  result,
  results,
  type SummarizeHistoryOptions,
  summarizeHistory,
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
  pressedTo,
  round,
  walkWith,
  watching,
} from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** Turns of 1,000 characters each, which count as tokens here: a question of 20, an answer of 980. */
const turns = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) => [
    user(`question number ${i}?`.padEnd(20, '!'), `u${i}`),
    assistant(`answer ${i} `.repeat(200).slice(0, 980), `a${i}`),
  ]).flat();
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => [`u${from + i}`, `a${from + i}`]).flat();
const tight = (figures: Partial<Budget> = {}): Budget => pressedTo(5_000, { effective: 10_000, ...figures });
const summed = (options: SummarizeHistoryOptions = {}, told: Circumstances = {}, history = turns(10)) =>
  walkWith(history, [summarizeHistory({ attach: false, ...options })], { ...inChars, budget: tight(), ...told });
const markOf = (made: ReturnType<typeof summed>) => (editsOf(made)[0] as FoldEdit | undefined)?.summary;

const told = (key: string, text: string, more: Partial<Extract<Fact, { type: 'summary' }>> = {}): Fact => ({
  type: 'summary',
  key,
  text,
  flagged: [],
  calls: 1,
  usage: {},
  ...more,
});
const summaryNeed = (made: { needs: readonly Need[] }) => made.needs[0] as Extract<Need, { type: 'summary' }>;

describe('summarize-history: everything before the tail gives way to one live summary', () => {
  it('the last two turns stay, the rest becomes one message by the digest that says what it is', () => {
    const made = summed();
    expect(idsOf(made.view)).toEqual(['palimpsest/e1', ...ids(8, 10)]);
    expect(made.view[0]).toMatchObject({ role: 'user', origin: 'palimpsest', standsFor: { from: 'u0', to: 'a7' } });
    expect(made.view[0]!.parts).toHaveLength(2);
    expect(textOf([made.view[0]!])).toMatch(
      /^\[Summary of 16 earlier messages, made to save space; recall e1 reads any of them in full\./,
    );
    expect(textOf([made.view[0]!])).toContain('question number 7?');
    expect(markOf(made)).toEqual({
      of: 'history',
      by: 'digest',
      kept: { first: 'u8', anchor: 'palimpsest/e1', last: 'a9' },
    });
    expect(entriesOf(made)).toMatchObject([{ layer: 'summarize-history', pressed: true }]);
    expect(made.tokens).toBeLessThanOrEqual(5_000);
  });

  it('without pressure on tokens or messages nothing happens, unless somebody asks for it', () => {
    const quiet = { budget: budgetOf({ effective: 10_000, target: 5_000 }) };
    expect(editsOf(summed({}, quiet))).toEqual([]);
    expect(editsOf(summed({}, { budget: budgetOf({ ...quiet.budget, limits: { bytes: 10 } }) }))).toEqual([]);
    const crowded = { budget: budgetOf({ ...quiet.budget, triggerMessages: 10, targetMessages: 8 }) };
    expect(editsOf(summed({}, crowded))).toHaveLength(1);
    for (const trigger of ['manual', 'tool'] as const)
      expect(editsOf(summed({}, { ...quiet, trigger }))).toHaveLength(1);
    for (const trigger of ['idle', 'overflow', 'switch'] as const)
      expect(editsOf(summed({}, { ...quiet, trigger }))).toEqual([]);
    expect(editsOf(summed({}, { ...quiet, asked: { form: 'all' } }))).toHaveLength(1);
    expect(editsOf(summed({}, { ...quiet, asked: { instructions: 'mind the tests' } }))).toHaveLength(1);
    expect(editsOf(summed({}, { ...quiet, asked: { keepMessages: 2 } }))).toEqual([]);
  });

  it('with one unit there is nothing to summarize, and a summary alone is not summarized again', () => {
    expect(editsOf(summed({}, {}, turns(1).slice(0, 1)))).toEqual([]);
    const first = summed();
    const again = summed({}, { ledger: first.ledger, budget: tight({ target: 3_400 }) });
    expect(first.tokens).toBeGreaterThan(3_400);
    expect(editsOf(again)).toHaveLength(1);
  });

  it('the live summary is brought up to date, never nested', () => {
    const first = summed();
    const second = summed({}, { ledger: first.ledger }, turns(16));
    expect(idsOf(second.view)).toEqual(['palimpsest/e2', ...ids(14, 16)]);
    expect(textOf([second.view[0]!])).toContain('Summary of 28 earlier messages');
    expect(textOf([second.view[0]!]).match(/Summary of/g)).toHaveLength(1);
    expect(editsOf(second)[1]).toMatchObject({ from: 'u0', to: 'a13', hides: { messages: 12 } });
  });

  it('the frame tells to carry on, unless somebody asked for the summary; in a small window it is short', () => {
    const frame = (circumstances: Circumstances): string =>
      textOf([summed({}, circumstances).view[0]!]).split('\n')[0]!;
    expect(frame({})).toContain('Carry on with the work');
    expect(frame({ trigger: 'manual' })).not.toContain('Carry on');
    expect(frame({ budget: tight({ target: 3_999 }) })).toBe(
      '[Summary of 16 earlier messages, a record and not a request; recall e1]',
    );
    expect(frame({ budget: tight({ target: 4_000 }) })).toContain('made to save space');
  });
});

describe('summarize-history: the tail that stays', () => {
  const tail = (options: SummarizeHistoryOptions, figures: Partial<Budget> = {}, more: Circumstances = {}) =>
    idsOf(summed(options, { budget: tight(figures), ...more }).view).slice(1);

  it('so many turns, as far as they fit the share of the window, its bounds, and 0.6 of the target', () => {
    expect(tail({ tailTurns: 1 })).toEqual(ids(9, 10));
    expect(tail({ tailTurns: 3, tailFraction: 0.3 })).toEqual(ids(7, 10));
    expect(tail({ tailTurns: 3, tailFraction: 0.2999, tailLeast: 0 })).toEqual(['a7', ...ids(8, 10)]);
    expect(tail({ tailTurns: 5, tailFraction: 0.9 })).toEqual(ids(7, 10));
    expect(tail({ tailTurns: 5, tailFraction: 0.9 }, { target: 4_999 })).toEqual(['a7', ...ids(8, 10)]);
    expect(tail({ tailTurns: 5, tailFraction: 0, tailLeast: 1_000 })).toEqual(ids(9, 10));
    expect(tail({ tailTurns: 5, tailFraction: 0.9, tailMost: 1_999 })).toEqual(['a8', ...ids(9, 10)]);
    // By default clamp(0.25 × window, 2,000, 8,000).
    expect(tail({ tailTurns: 5 }, { effective: 12_000 })).toEqual(ids(7, 10));
    expect(tail({ tailTurns: 5 }, { effective: 4_000 })).toEqual(ids(8, 10));
    expect(
      idsOf(summed({ tailTurns: 20 }, { budget: tight({ effective: 1e6, target: 15_000 }) }, turns(20)).view).slice(1),
    ).toEqual(ids(12, 20));
  });

  it('the newest unit stays however large it is, and a round is never split', () => {
    expect(tail({ tailTurns: 2, tailFraction: 0, tailLeast: 0 })).toEqual(['a9']);
    const rounds = [
      ...turns(4),
      user('go on', 'u'),
      ...Array.from({ length: 3 }, (_, i) => round(`${i}`, 'mcp__lab__probe', { i }, 'y'.repeat(993))).flat(),
    ];
    const made = summed({}, { budget: tight({ effective: 8_000, target: 4_000 }) }, rounds);
    expect(idsOf(made.view).slice(1)).toEqual(['a-1', 'r-1', 'a-2', 'r-2']);
  });

  it('at most so many messages where it was asked for, counted by whole units', () => {
    const kept = (keepMessages: number) => tail({ tailTurns: 9, tailFraction: 0.9 }, {}, { asked: { keepMessages } });
    expect(kept(3)).toEqual(['a8', ...ids(9, 10)]);
    expect(kept(1)).toEqual(['a9']);
    expect(kept(4)).toEqual(ids(8, 10));
  });

  it('the summary before it ends the tail', () => {
    const first = summed();
    const second = summed(
      { tailTurns: 9, tailFraction: 0.9 },
      { ledger: first.ledger, budget: tight({ target: 5_100 }) },
      turns(11),
    );
    expect(idsOf(second.view)).toEqual(['palimpsest/e1', ...ids(8, 11)]);
  });
});

describe('summarize-history: as it was asked for', () => {
  const quiet = { budget: budgetOf({ effective: 10_000, target: 5_000 }) };
  const asked = (ask: Circumstances['asked'], history = turns(10), more: Circumstances = {}) =>
    idsOf(summed({}, { ...quiet, asked: ask!, ...more }, history).view);

  it('all: everything goes, the newest too, unless its calls are in flight', () => {
    expect(asked({ form: 'all' })).toEqual(['palimpsest/e1']);
    const flying = [...turns(10), user('go', 'u'), assistant([call('x', 'bash', { command: 'make' })], 'c')];
    expect(asked({ form: 'all' }, flying)).toEqual(['palimpsest/e1', 'c', 'c/unanswered']);
  });

  it('up-to: the old part goes, up to the message that was named; without one, up to the tail', () => {
    expect(asked({ form: 'up-to', at: 'a4' })).toEqual(['palimpsest/e1', ...ids(5, 10)]);
    expect(asked({ form: 'up-to', at: 'a9' })).toEqual(['palimpsest/e1', 'a9']);
    expect(asked({ form: 'up-to', at: 'nobody' })).toEqual(['palimpsest/e1', 'a9']);
    expect(asked({ form: 'up-to' })).toEqual(['palimpsest/e1', ...ids(8, 10)]);
  });

  it('from: what comes behind the message that was named goes, the beginning stays, and the mark says what it hangs on', () => {
    const made = summed({}, { ...quiet, asked: { form: 'from', at: 'a5' } });
    expect(idsOf(made.view)).toEqual([...ids(0, 6), 'palimpsest/e1', 'a9']);
    expect(markOf(made)!.kept).toEqual({ first: 'u0', anchor: 'a5', last: 'a5' });
    expect(asked({ form: 'from' })).toEqual(['palimpsest/e1', 'a9']);
    expect(asked({ form: 'from', at: 'u9' })).toEqual(ids(0, 10));
  });

  it('where nothing is kept the mark says nothing of it', () => {
    expect(markOf(summed({}, { ...quiet, asked: { form: 'all' } }))).not.toHaveProperty('kept');
  });
});

describe('summarize-history: pins', () => {
  it('stay where they are; the folds around them are one summary with one reference', () => {
    const made = summed({}, { ledger: decided({ pins: ['u3', 'a5'] }) });
    expect(idsOf(made.view)).toEqual(['palimpsest/e1', 'u3', 'a5', ...ids(8, 10)]);
    expect(textOf([made.view[0]!])).toContain('recall e1 to e3 reads');
    expect(editsOf(made).map((edit) => [(edit as FoldEdit).from, (edit as FoldEdit).to])).toEqual([
      ['u0', 'a2'],
      ['a3', 'u5'],
      ['u6', 'a7'],
    ]);
    expect(editsOf(made).map((edit) => (edit as FoldEdit).summary?.of)).toEqual(['history', undefined, undefined]);
  });

  it('a span of nothing but pins and the summary is left alone', () => {
    const pins = ids(0, 8);
    expect(editsOf(summed({}, { ledger: decided({ pins }) }))).toEqual([]);
  });
});

describe('summarize-history: the sizes of a summary', () => {
  const sizeOf = (options: SummarizeHistoryOptions, figures: Partial<Budget>, history = turns(60)): number =>
    textOf([summed(options, { budget: tight(figures) }, history).view[0]!])
      .split('\n')
      .slice(1)
      .join('\n').length;

  /** Many things worth telling, so that the digest takes all the room it is given. */
  const rich: readonly NewMessage[] = Array.from({ length: 80 }, (_, i) => [
    user(`Please never touch module-${i}/config-${i}.ts, and always keep rule number ${i} in mind.`, `u${i}`),
    ...round(`w${i}`, 'write', { path: `src/part-${i}/file-${i}.ts`, content: 'x'.repeat(200) }, `written ${i}`),
  ]).flat();

  it('by the digest alone it may take both shares of the window, 0.10 and 0.08, or both figures', () => {
    const size = sizeOf({}, { effective: 10_000, target: 5_000 }, rich);
    expect(size).toBeLessThanOrEqual(1_800);
    expect(size).toBeGreaterThan(1_300);
    const quiet = rich.map((message, i) => (i % 3 === 0 ? user('go on', `u${i / 3}`) : message));
    const stated = sizeOf({ narrativeTokens: 300, evidenceTokens: 300 }, { effective: 10_000, target: 5_000 }, quiet);
    expect(stated).toBeLessThanOrEqual(600);
    expect(stated).toBeGreaterThan(300);
  });

  it('what the user typed may take more than the evidence has: as far as 0.3 of the target', () => {
    const figures = { effective: 10_000, target: 5_000 };
    const stated = sizeOf({ narrativeTokens: 300, evidenceTokens: 300 }, figures, rich);
    expect(stated).toBeLessThanOrEqual(1_500);
    expect(stated).toBeGreaterThan(1_300);
  });

  it('where little is to spare it still has the least that rules and words need: 0.05 of the window', () => {
    const size = sizeOf({}, { effective: 20_000, target: 10 }, rich);
    expect(size).toBeLessThanOrEqual(1_000);
    expect(size).toBeGreaterThan(600);
  });

  it('is never more than 0.6 of what it stands for, and is refused where it would be no smaller', () => {
    const few = [
      ...turns(2).map((m) => ({ ...m, parts: [{ type: 'text' as const, text: 'tiny' }] })),
      ...turns(9).slice(6),
    ];
    const { layer, answers } = watching(summarizeHistory({ attach: false, tailTurns: 1 }));
    const made = walkWith(few.slice(0, 6), [layer], {
      ...inChars,
      budget: pressedTo(1_500, { effective: 10_000 }),
      asked: { form: 'up-to', at: 'u1' },
    });
    expect(editsOf(made)).toEqual([]);
    expect(answers).toEqual([{ edits: [], reason: 'a summary would be no smaller than what it stands for' }]);
  });
});

describe('summarize-history: what it asks for', () => {
  const asking = (ports: Circumstances['ports'], facts: readonly Fact[] = [], more: Circumstances = {}, options = {}) =>
    summed(options, { ports: ports!, facts, ...more });

  it('a model is asked for the narrative: the span, the live view, the source and the room', () => {
    const made = asking(['summary']);
    const need = summaryNeed(made);
    expect(editsOf(made)).toEqual([]);
    expect(need).toMatchObject({
      type: 'summary',
      key: 'summary:u0:a7::',
      to: 'a7',
      maxTokens: 1_000,
      liveTokens: 10_000,
      sourceTokens: 8_000,
      upTo: textOf([need.span.at(-1)!]).slice(0, 80),
    });
    expect(idsOf(need.span)).toEqual(ids(0, 8));
    expect(idsOf(need.source)).toEqual(ids(0, 8));
    expect(idsOf(need.live)).toEqual(ids(0, 10));
    for (const absent of ['previous', 'after', 'instructions']) expect(need).not.toHaveProperty(absent);
    expect(summaryNeed(asking(['summary'], [], {}, { narrativeTokens: 200 })).maxTokens).toBe(200);
    expect(summaryNeed(asking(['summary'], [], {}, { narrativeTokens: 1 })).maxTokens).toBe(64);
  });

  it('its words stand before the evidence, and the mark keeps them for the next summary', () => {
    const made = asking(['summary'], [told('summary:u0:a7::', 'THE NARRATIVE', { flagged: ['x.ts'], calls: 2 })]);
    expect(made.needs).toEqual([]);
    const texts = made.view[0]!.parts.map((part) => (part.type === 'text' ? part.text : ''));
    expect(texts).toHaveLength(3);
    expect(texts[1]).toBe('THE NARRATIVE');
    expect(markOf(made)).toMatchObject({ by: 'model', narrative: 'THE NARRATIVE', flagged: ['x.ts'], calls: 2 });
    const next = summed({}, { ports: ['summary'], ledger: made.ledger }, turns(16));
    const need = summaryNeed(next);
    expect(need).toMatchObject({ key: 'summary:u0:a13:e1:', previous: 'THE NARRATIVE', after: 'e1' });
    expect(idsOf(need.span)).toEqual(ids(8, 14));
    expect(idsOf(need.source)).toEqual(ids(0, 14));
    expect(idsOf(need.live)[0]).toBe('palimpsest/e1');
  });

  it('without a model, with the model off, or when it failed, the digest is the summary', () => {
    const failed: Fact = { type: 'failed', key: 'summary:u0:a7::', need: 'summary', code: 'failed', why: 'no' };
    expect(markOf(asking(['summary'], [failed]))!.by).toBe('digest');
    expect(markOf(asking([]))!.by).toBe('digest');
    const off = asking(['summary'], [], {}, { model: 'off' });
    expect(off.needs).toEqual([]);
    expect(markOf(off)!.by).toBe('digest');
    // A fact about another span is no answer.
    expect(asking(['summary'], [told('summary:u0:a6::', 'OTHER')]).needs).toHaveLength(1);
  });

  it('the span goes alone where the summary does not begin the view, or a call is in flight', () => {
    expect(summaryNeed(asking(['summary'], [], { asked: { form: 'from', at: 'u2' } }))).not.toHaveProperty('upTo');
    const flying = [...turns(10), user('go', 'u'), assistant([call('x', 'bash', { command: 'make' })], 'c')];
    const made = summed({}, { ports: ['summary'] }, flying);
    expect(summaryNeed(made)).not.toHaveProperty('upTo');
  });

  it('hooks are asked first; what they say goes to the model with what the user said', () => {
    const before = asking(['summary', 'hooks', 'carry'], [], {
      trigger: 'manual',
      asked: { instructions: 'mind A' },
    });
    expect(before.needs).toEqual([{ type: 'hooks', key: 'hooks:u0:a7::', trigger: 'manual', instructions: 'mind A' }]);
    expect(asking(['hooks']).needs).toEqual([{ type: 'hooks', key: 'hooks:u0:a7::', trigger: 'auto' }]);
    const hooked = (more: object): Fact => ({ type: 'hooked', key: 'hooks:u0:a7::', ...more });
    const instructions = (fact: Fact, given?: string) =>
      summaryNeed(asking(['summary', 'hooks'], [fact], given === undefined ? {} : { asked: { instructions: given } }))
        .instructions;
    expect(instructions(hooked({ instructions: 'mind B' }), 'mind A')).toBe('mind A\nmind B');
    expect(instructions(hooked({ instructions: 'mind B' }))).toBe('mind B');
    expect(instructions(hooked({ instructions: '' }), 'mind A')).toBe('mind A');
    expect(instructions(hooked({}))).toBeUndefined();
    const failed: Fact = { type: 'failed', key: 'hooks:u0:a7::', need: 'hooks', code: 'failed', why: 'no' };
    expect(instructions(failed, 'mind A')).toBe('mind A');
    expect(instructions(failed)).toBeUndefined();
    const plain = asking(['summary'], [], { asked: { instructions: 'mind A' } });
    expect(summaryNeed(plain)).toMatchObject({ instructions: 'mind A', key: 'summary:u0:a7::mind A' });
  });

  it('a hook can veto, and the reason says so', () => {
    const { layer, answers } = watching(summarizeHistory());
    const made = walkWith(turns(10), [layer], {
      ...inChars,
      budget: tight(),
      ports: ['hooks', 'summary'],
      facts: [{ type: 'hooked', key: 'hooks:u0:a7::', veto: 'not now' }],
    });
    expect(editsOf(made)).toEqual([]);
    expect(made.needs).toEqual([]);
    expect(answers).toEqual([{ edits: [], reason: 'vetoed: not now' }]);
  });

  it('the host is asked what to carry after the narrative is there, unless nothing is to be attached', () => {
    const fact = told('summary:u0:a7::', 'N');
    const attached = (facts: readonly Fact[], options: SummarizeHistoryOptions) =>
      walkWith(turns(10), [summarizeHistory(options)], {
        ...inChars,
        budget: tight(),
        ports: ['summary', 'carry'],
        facts,
      }).needs;
    expect(attached([], {})).toMatchObject([{ type: 'summary' }]);
    expect(attached([fact], {})).toEqual([{ type: 'carry', key: 'carry:a9' }]);
    expect(attached([fact], { attach: false })).toEqual([]);
    expect(attached([fact, { type: 'carried', key: 'carry:a9', items: [] }], {})).toEqual([]);
    expect(attached([fact, { type: 'failed', key: 'carry:a9', need: 'carry', code: 'failed', why: 'no' }], {})).toEqual(
      [],
    );
  });
});

describe('summarize-history: drafts', () => {
  const draft = (upTo: string, after?: string) =>
    ({
      type: 'draft',
      draft: {
        upTo,
        fact: { type: 'summary', key: 'k', text: `DRAFT ${upTo}`, flagged: [], calls: 1, usage: {} },
        ...(after === undefined ? {} : { after }),
      },
    }) as const;
  const drafted = (entries: readonly ReturnType<typeof draft>[], more: Circumstances = {}, options = {}) =>
    summed(options, { ledger: decided({ entries }), ports: ['summary'], ...more });

  it('a draft whose prefix stands is taken at once, the newest that is enough', () => {
    const made = drafted([draft('a6')]);
    expect(made.needs).toEqual([]);
    expect(idsOf(made.view)).toEqual(['palimpsest/e1', ...ids(7, 10)]);
    expect(markOf(made)).toMatchObject({ by: 'draft', narrative: 'DRAFT a6' });
    expect(markOf(drafted([draft('a6'), draft('a7')]))!.narrative).toBe('DRAFT a7');
  });

  it('not where it frees less than 0.6 of what must go, its own room taken off', () => {
    // 5,000 must go: 3,000 + 1,000 + 800 is what a prefix must hold.
    expect(markOf(drafted([draft('a4')]))!.narrative).toBe('DRAFT a4');
    expect(drafted([draft('a3')]).needs).toHaveLength(1);
    expect(drafted([draft('a4')], {}, { evidenceTokens: 1_001, narrativeTokens: 800 }).needs).toHaveLength(0);
    expect(drafted([draft('u4')]).needs).toHaveLength(1);
  });

  it('not where something else was asked for, where it ends inside a round, or where another summary stands before it', () => {
    expect(drafted([draft('a6')], { asked: { form: 'up-to', at: 'a7' } }).needs).toHaveLength(1);
    expect(drafted([draft('a6')], { asked: { instructions: 'mind' } }).needs).toHaveLength(1);
    expect(drafted([draft('a6', 'e9')]).needs).toHaveLength(1);
    expect(drafted([draft('nobody')]).needs).toHaveLength(1);
  });
});

describe('summarize-history: what code carries over', () => {
  const items: readonly CarryItem[] = [
    { kind: 'cwd', name: 'cwd', text: `/srv/app/${'deep/'.repeat(10)}` },
    { kind: 'branch', name: 'branch', text: `feature/${'blue-'.repeat(10)}` },
  ];
  const carried: Fact = { type: 'carried', key: 'carry:last', items };
  const asking = [...turns(10), user('and now?', 'last')];
  const attach = (history: readonly NewMessage[], options: SummarizeHistoryOptions = {}, more: Circumstances = {}) =>
    walkWith(history, [summarizeHistory(options)], {
      ...inChars,
      budget: tight(),
      ports: ['carry'],
      facts: [carried],
      ...more,
    });
  const attachment = (made: { view: readonly Message[] }): Message | undefined =>
    made.view.find((message) => textOf([message]).startsWith('[Carried over by code'));

  it('stands behind the newest message of the user, as data', () => {
    const made = attach(asking);
    expect(idsOf(made.view).at(-1)).toBe('palimpsest/e2');
    expect(textOf([attachment(made)!])).toBe(
      `[Carried over by code from before the summary: data, as it was last seen]\n<carried kind="cwd" name="cwd">\n${items[0]!.text}\n</carried>\n<carried kind="branch" name="branch">\n${items[1]!.text}\n</carried>`,
    );
    expect(attachment(made)).toMatchObject({ standsFor: { from: 'last', to: 'last' } });
    expect(editsOf(made)[1]).toMatchObject({ type: 'insert', ref: 'e2', after: 'last' });
  });

  it('not where it is switched off, where the model spoke last, or while a call is in flight', () => {
    expect(attachment(attach(asking, { attach: false }))).toBeUndefined();
    expect(attachment(attach(turns(10), {}, { facts: [{ ...carried, key: 'carry:a9' }] }))).toBeUndefined();
    const flying = [
      ...turns(10),
      assistant([call('x', 'bash'), call('y', 'bash')]),
      results([result('x', 'ok')], 'last'),
    ];
    expect(attachment(attach(flying))).toBeUndefined();
    expect(attachment(attach(asking, {}, { facts: [{ ...carried, items: [] }] }))).toBeUndefined();
    expect(attachment(attach(asking, {}, { asked: { form: 'all' } }))).toBeUndefined();
  });

  it('only what is to spare is taken, and half of it stays for the turns to come', () => {
    const much: Fact = { ...carried, items: [{ kind: 'note', name: 'n', text: 'z'.repeat(3_000) }] } as Fact;
    const size = (figures: Partial<Budget>): number =>
      textOf([
        attachment(attach(asking, {}, { facts: [much], budget: tight(figures) })) ??
          ({ ...asking[0]!, parts: [] } as never),
      ]).replace(/[^z]/g, '').length;
    // A quarter of the target, halved.
    expect(size({ target: 6_000 })).toBeLessThanOrEqual(750);
    expect(size({ target: 6_000 })).toBeGreaterThan(600);
    // Nothing is to spare.
    expect(size({ target: 2_000 })).toBe(0);
  });

  it('without a host, the files that were read last come back', () => {
    const reads = [
      user('read them', 'u'),
      ...round('f', 'read', { path: 'src/kept.ts' }, 'the body of the kept file, at some length to be worth it'),
      ...turns(9),
      user('and now?', 'last'),
    ];
    const made = attach(reads, {}, { ports: [], facts: [] });
    expect(textOf([attachment(made)!])).toContain('<carried kind="file" name="src/kept.ts">');
    // Where a host carries, only what it says is carried.
    expect(textOf([attachment(attach(reads))!])).not.toContain('src/kept.ts');
  });
});

it('summarize-history: what a model thought goes into the span as it was', () => {
  const history = [user('q', 'u'), assistant([reasoning('hm', 's')], 'a'), ...turns(9)];
  const need = summaryNeed(summed({}, { ports: ['summary'] }, history));
  expect(need.span[1]!.parts).toEqual([reasoning('hm', 's')]);
});
