import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  estimateText,
  type FoldEdit,
  type JournalRecord,
  type NewMessage,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type Stash,
  switchesFrom,
  user,
} from '../../src/index.ts';
import { good, scripted } from '../summarizers.ts';
import { folding } from '../support/summaries.ts';
import { bodies, countChars, layersIn, round, walkWith } from '../support/walks.ts';
import { long, textOf } from '../texts.ts';

const preset = presets['claude-code'];
const MINUTE = 60_000;
const at = 1_700_000_000_000;

/** The order of the stages as the articles give it, by the names of our layers. */
const STAGES = [
  'cap-results',
  'stash-large-results',
  'snip-middle',
  'clear-idle-results',
  'clear-old-results',
  'collapse-spans',
  'summarize-history',
];

const talk = (session: Session, turns: number, words = 60): void => {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${long('this and that', words)}`));
    session.append(assistant(`Done ${i} ${long('so and so', words)}`));
  }
};

const memoryStash = (): Stash & { readonly texts: string[] } => {
  const texts: string[] = [];
  return { texts, put: async (text) => `s${texts.push(text)}`, get: async (ref) => texts[Number(ref.slice(1)) - 1] };
};

const summariesOf = (session: Session): readonly FoldEdit[] =>
  session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
    .filter((edit): edit is FoldEdit => edit.type === 'fold' && edit.summary?.of === 'history');

const setUp = (options: Partial<SessionOptions> = {}): Session =>
  createSession({ window: 20_000, maxOutput: 1_000, layers: preset(), drafts: false, ...options });

describe('claude-code: the pipeline', () => {
  it('its stages stand from light to heavy: budget, snip, micro, collapse, auto-compact', () => {
    const names = preset().map(({ name }) => name);
    expect(names.filter((name) => STAGES.includes(name))).toEqual(STAGES.filter((name) => names.includes(name)));
    expect(names.at(-1)).toBe('drop-oldest-rounds');
  });

  it('light stages act before a call without a call of their own', async () => {
    const summarizer = good();
    const session = setUp({ window: 200_000, ports: { summarizer } });
    session.append(user('go'));
    for (const message of round('b', 'bash', { command: 'make' }, 'x'.repeat(40_000))) session.append(message);
    const { receipt } = await session.view();
    expect(receipt!.lines.map(({ layer }) => layer)).toEqual(['cap-results']);
    expect(summarizer.requests).toEqual([]);
  });

  it('what is too large is saved whole before anything clears it', async () => {
    const stash = memoryStash();
    const session = setUp({ window: 1_000_000, ports: { stash } });
    session.append({ ...user('go'), at });
    const dumps = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(30_000));
    const calls = dumps.map((_, i) => call(`d${i}`, 'bash', { command: `dump ${i}` }));
    session.append({ ...assistant(calls), at });
    session.append({ ...results(dumps.map((dump, i) => result(`d${i}`, dump))), at });
    // Nobody has seen them yet, and the pause alone would clear them.
    const { receipt } = await session.view({ now: at + 61 * MINUTE });
    expect(receipt!.lines.map(({ layer }) => layer)).toContain('stash-large-results');
    expect(stash.texts.length).toBeGreaterThan(0);
    for (const text of stash.texts) expect(dumps).toContain(text);
  });
});

describe('claude-code: the budget for the results of one message', () => {
  const dumps = (tool: string, ...sizes: readonly number[]): readonly NewMessage[] => [
    assistant(sizes.map((_, i) => call(`${tool}${sizes.length}${i}`, tool, { i }))),
    ...sizes.map((size, i) => results([result(`${tool}${sizes.length}${i}`, `${i}`.repeat(size))])),
  ];
  const shown = (history: readonly NewMessage[]): number =>
    bodies(walkWith([user('go'), ...history], preset(), { budget: budget({ window: 1_000_000 }) }).view)
      .map((body) => body.length)
      .reduce((sum, length) => sum + length, 0);

  it.each(['mcp__db__dump', 'todo_write', 'task', 'skill'])('holds for results of any tool: %s', (tool) => {
    expect(shown(dumps(tool, 100_000, 100_000))).toBe(200_000);
    expect(shown(dumps(tool, 100_000, 100_001))).toBeLessThan(110_000);
  });

  it('two messages of 150,000 characters are judged each for itself, and stay', () => {
    expect(shown([...dumps('mcp__a__x', 150_000), ...dumps('mcp__b__x', 75_000, 75_000)])).toBe(300_000);
  });

  it('what a host puts between the results of one message does not part them', () => {
    const [calls, ...answers] = dumps('mcp__db__dump', 90_000, 60_000, 80_000);
    const reminder: NewMessage = { ...user('<system-reminder>half way</system-reminder>'), origin: 'harness' };
    expect(shown([calls!, answers[0]!, reminder, answers[1]!, answers[2]!])).toBeLessThan(150_000);
  });
});

describe('claude-code: the thresholds', () => {
  const of200k = (more: Partial<SessionOptions> = {}) =>
    createSession({ window: 200_000, maxOutput: 32_000, layers: preset(), ...more }).status().budget;

  it('the window keeps 20,000 tokens for the answer at most; warning is 20,000 below the trigger, blocking 3,000 below all', () => {
    expect(of200k().effective).toBe(180_000);
    expect(of200k().warning).toBe(of200k().trigger - 20_000);
    expect(of200k().blocking).toBe(177_000);
    expect(of200k({ maxOutput: 8_000 }).effective).toBe(192_000);
  });

  it('a percentage is of the effective window, rounded down, and only lowers the trigger; a window override shrinks it all', () => {
    const by = (environment: Readonly<Record<string, string>>) => of200k({ switches: switchesFrom(environment) });
    expect(by({ PALIMPSEST_TRIGGER_PERCENT: '50' }).trigger).toBe(90_000);
    expect(by({ PALIMPSEST_TRIGGER_PERCENT: '33.3335' }).trigger).toBe(60_000);
    expect(by({ PALIMPSEST_TRIGGER_PERCENT: '99' }).trigger).toBe(of200k().trigger);
    expect(by({ PALIMPSEST_WINDOW: '100000' })).toMatchObject({ window: 100_000, effective: 80_000 });
  });
});

describe('claude-code: who writes the summary, and when', () => {
  it('asking for a summary begins no other: one call of a port, inside one compaction', async () => {
    const events: SessionEvent[] = [];
    let inside = 0;
    const fine = good();
    const summarizer = scripted((request) => {
      inside = events.filter(({ type }) => type === 'compaction-started').length;
      return fine.summarize(request, {});
    });
    const session = setUp({ ports: { summarizer }, on: (event) => events.push(event) });
    talk(session, 20, 200);
    await session.view();
    expect(inside).toBe(1);
    expect(summarizer.requests).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'compaction-ended')).toEqual([
      { type: 'compaction-ended', trigger: 'auto', outcome: 'done' },
    ]);
  });

  it('says that it begins, hands on what a hook says to the user, and ends with a receipt', async () => {
    const events: SessionEvent[] = [];
    const hooks = {
      before: () => ({ message: 'Compacting, one moment.' }),
      after: () => ({ context: 'The build is green.' }),
    };
    const session = setUp({ ports: { hooks, summarizer: good() }, on: (event) => events.push(event) });
    talk(session, 20, 200);
    await session.view();
    const told = events.map(({ type }) => type).filter((type) => type !== 'view-made');
    expect(told).toEqual(['compaction-started', 'hook-spoke', 'summary-paid', 'view-compacted', 'compaction-ended']);
    expect(events).toContainEqual({ type: 'hook-spoke', message: 'Compacting, one moment.' });
    const [receipt] = session.receipts();
    expect(receipt).toMatchObject({ trigger: 'auto' });
    expect(receipt!.tokensBefore).toBeGreaterThan(receipt!.tokensAfter);
  });

  it('a draft that was written ahead is taken at the trigger, and by a compaction asked for, without a call', async () => {
    for (const way of ['auto', 'manual'] as const) {
      const summarizer = good();
      const session = setUp({ window: 200_000, maxOutput: 20_000, ports: { summarizer }, drafts: true });
      const isDrafted = () => session.ledger().entries.some((entry) => entry.type === 'draft');
      for (let i = 0; i < 40 && !isDrafted(); i++) {
        talk(session, 1, 1_000);
        await session.view();
        await session.settled();
      }
      const calls = summarizer.requests.length;
      if (way === 'manual') await session.compact();
      for (let i = 0; i < 40 && summariesOf(session).length === 0; i++) {
        talk(session, 1, 1_000);
        await session.view();
      }
      expect(summariesOf(session).at(-1)!.summary!.by).toBe('draft');
      expect(summarizer.requests).toHaveLength(calls);
    }
  });

  it('an automatic compaction that fails is not thrown at the user: the view comes all the same', async () => {
    const session = setUp({ ports: { summarizer: scripted(() => Promise.reject(new Error('away'))) } });
    talk(session, 20, 200);
    const { fits } = await session.view();
    expect(fits).toBe(true);
  });
});

it('claude-code: a partial compaction asks for its own part, from a message on or up to one, each in words of its own', async () => {
  for (const [form, words] of [
    ['from', /recent part .*only/],
    ['up-to', /older part|up to and including/],
  ] as const)
    for (const sharesPrefix of [true, false]) {
      const summarizer = good({ sharesPrefix });
      const session = setUp({ window: 200_000, ports: { summarizer } });
      talk(session, 10, 200);
      await session.view();
      await session.compact({ form, at: session.transcript()[9]!.id });
      const asked = textOf(summarizer.requests[0]!.messages.slice(-1));
      expect(asked).toMatch(words);
      expect(summariesOf(session)).toHaveLength(1);
    }
});

it('claude-code: a plan comes back after a compaction, and of a skill the first 5,000 tokens', async () => {
  const skill = `HEAD ${long('step of the skill', 3_000)} END`;
  const carry = async () => [
    { kind: 'plan', name: 'plan', text: 'first the sluice, then the wheel' } as const,
    { kind: 'skill', name: 'release', text: skill } as const,
  ];
  const session = setUp({ window: 200_000, ports: { carry: { carry }, summarizer: good() } });
  talk(session, 20, 200);
  session.append(user('and now?'));
  await session.compact();
  const seen = textOf((await session.view()).messages);
  expect(seen).toContain('first the sluice, then the wheel');
  const [, shown] = /<carried kind="skill" name="release">\n([\s\S]*?)\n<\/carried>/.exec(seen)!;
  expect(shown).toMatch(/^HEAD step of the skill/);
  expect(shown).not.toContain('END');
  expect(estimateText(shown!)).toBeLessThanOrEqual(5_000);
  expect(estimateText(shown!)).toBeGreaterThan(4_900);
});

it('claude-code: a snip tells what is shown, how many tokens it freed, and its boundary', () => {
  const history = Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? user(`q${i}`) : assistant(long(`a${i}`, 40))));
  const made = walkWith(history, [folding(presets.s08()[1]!)], { count: countChars });
  expect(layersIn(made)).toEqual(['snip-middle']);
  const [visit] = made.visits;
  expect(visit!.tokensBefore - visit!.tokensAfter).toBeGreaterThan(2_000);
  expect(visit!.tokensAfter).toBe(made.tokens);
  expect(made.view[3]).toMatchObject({ origin: 'palimpsest', standsFor: { from: 'm4', to: 'm33' } });
  expect(textOf([made.view[3]!])).toContain('30 earlier messages');
});

it('claude-code: a resumed session replaces nothing that was shown whole, and shows every preview as it was', async () => {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const stash = memoryStash();
  const first = setUp({ window: 1_000_000, ports: { stash }, journal });
  first.append(user('go'));
  for (const message of round('a', 'mcp__db__dump', {}, 'a'.repeat(150_000))) first.append(message);
  for (const message of round('b', 'mcp__db__dump', {}, 'b'.repeat(250_000))) first.append(message);
  const before = JSON.stringify((await first.view()).messages);
  await first.saved();
  const second = setUp({ window: 1_000_000, ports: { stash }, records: JSON.parse(JSON.stringify(records)) });
  expect(JSON.stringify((await second.view()).messages)).toBe(before);
  expect(stash.texts).toHaveLength(1);
});
