import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  clearOldResults,
  type Fact,
  type FoldEdit,
  type Message,
  presets,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { ids, idsBehindHead, markOf, summaryNeed, summed, tight, turns } from '../support/summaries.ts';
import { budgetOf, type Circumstances, editsOf, inChars, round, walkWith } from '../support/walks.ts';
import { textOf } from '../texts.ts';

describe('summarize-history: no tail', () => {
  it('tailTurns 0: all behind the head gives way to one summary, but for a call in flight', () => {
    expect(idsBehindHead(summed({ tailTurns: 0 }).view)).toEqual(['palimpsest/e1']);
    const flying = [...turns(10), user('go', 'u'), assistant([call('x', 'bash', { command: 'make' })], 'c')];
    expect(idsBehindHead(summed({ tailTurns: 0 }, {}, flying).view)).toEqual(['palimpsest/e1', 'c', 'c/unanswered']);
  });

  it('tailTurns 0, and messages asked for by their number: these stay, as far as they fit', () => {
    const kept = (keepMessages: number) =>
      idsBehindHead(summed({ tailTurns: 0, tailFraction: 0.9 }, { asked: { keepMessages } }).view).slice(1);
    expect(kept(5)).toEqual(['a7', ...ids(8, 10)]);
    expect(kept(2)).toEqual(ids(9, 10));
    expect(kept(0)).toEqual([]);
  });

  it('keepNewest false: where not even the newest fits, there is no tail', () => {
    const small = { tailFraction: 0, tailLeast: 500, keepNewest: false };
    expect(idsBehindHead(summed(small).view)).toEqual(['palimpsest/e1']);
    expect(idsBehindHead(summed({ ...small, tailLeast: 1_000 }).view)).toEqual(['palimpsest/e1', ...ids(9, 10)]);
    expect(idsBehindHead(summed({ ...small, keepNewest: true }).view)).toEqual(['palimpsest/e1', 'a9']);
  });

  it.each(['claude-code', 's08'] as const)(
    'preset %s: all behind the first request gives way, and no turn is kept',
    (name) => {
      const layers = presets[name]({ summarizeHistory: { attach: false } });
      const made = walkWith(turns(40), layers, { ...inChars, budget: tight({ target: 4_000 }) });
      expect(idsBehindHead(made.view)).toHaveLength(1);
      expect(markOf(made as never)).not.toHaveProperty('kept');
    },
  );
});

describe('summarize-history: always', () => {
  const reads = [
    ...turns(4),
    user('read', 'u'),
    ...Array.from({ length: 9 }, (_, i) => round(`${i}`, 'read', { path: `f${i}` }, 'y'.repeat(993))).flat(),
    user('and?', 'v'),
  ];
  const layersWith = (always: boolean) => [
    clearOldResults({ mode: 'count', keep: 1 }),
    summarizeHistory({ attach: false, tailTurns: 1, always }),
  ];
  const made = (always: boolean, trigger: number) =>
    walkWith(reads, layersWith(always), {
      ...inChars,
      budget: budgetOf({ effective: 10_000, target: 8_000, trigger }),
    });

  it('at the trigger a summary is written though clearing was enough', () => {
    expect(editsOf(made(false, 9_000)).some((edit) => edit.type === 'fold')).toBe(false);
    expect(editsOf(made(true, 9_000)).some((edit) => edit.type === 'fold')).toBe(true);
    // Below the trigger none is.
    expect(editsOf(made(true, 90_000)).some((edit) => edit.type === 'fold')).toBe(false);
  });

  it('preset open-code: over the limit there is always a summary, however much was pruned', () => {
    const many = [
      user('read', 'u'),
      ...Array.from({ length: 90 }, (_, i) => round(`${i}`, 'read', { path: `f${i}` }, 'y'.repeat(993))).flat(),
      ...turns(3),
    ];
    const pruned = walkWith(many, presets['open-code']({ clearOldResults: true }), {
      ...inChars,
      budget: budgetOf({ effective: 100_000, trigger: 90_000, target: 80_000 }),
    });
    expect(pruned.visits.map(({ layer, edits }) => [layer, edits > 0])).toEqual([
      ['strip-refused-media', false],
      ['clear-old-results', true],
      ['strip-old-media', false],
      ['shorten-pastes', false],
      ['summarize-history', true],
      ['drop-oldest-rounds', false],
    ]);
  });
});

describe('summarize-history: the word to go on', () => {
  const going = (told: Circumstances = {}, options = {}) =>
    summed({ autoContinue: true, ...options }, told, [...turns(10), user('and now?', 'last')]);
  const isWord = (message: Message | undefined) => message?.synthetic === 'compaction_continue';

  it('stands last behind an automatic compaction, marked as synthetic, and is nobody’s word', () => {
    const { view } = going();
    expect(isWord(view.at(-1))).toBe(true);
    expect(view.at(-1)).toMatchObject({ role: 'user', origin: 'palimpsest' });
    expect(textOf([view.at(-1)!])).toMatch(/not by the user.*go on.*stop and ask/);
    expect(view.filter(isWord)).toHaveLength(1);
  });

  it('not behind one that somebody asked for, that a refusal brought about, or where nobody wants it', () => {
    for (const trigger of ['manual', 'tool', 'overflow', 'switch'] as const)
      expect(going({ trigger }).view.some(isWord)).toBe(false);
    expect(summed().view.some(isWord)).toBe(false);
  });

  it('a hook may veto it', () => {
    const hooked = (autoContinue: boolean): Fact => ({ type: 'hooked', key: 'hooks:u0:a8::', autoContinue });
    const heard = (autoContinue: boolean) =>
      going({ ports: ['hooks'], facts: [hooked(autoContinue)] }, { tailTurns: 2 }).view.some(isWord);
    expect(heard(true)).toBe(true);
    expect(heard(false)).toBe(false);
  });

  it('goes with the next summary, and is never quoted as the user’s', () => {
    const first = going();
    const history = [...turns(10), user('and now?', 'last'), ...turns(18).slice(20)];
    const second = summed({ tailTurns: 1 }, { ledger: first.ledger }, history);
    expect(second.view.some(isWord)).toBe(false);
    expect(textOf(second.view)).not.toContain('Written by the host');
  });

  it('preset open-code says it, the others do not', () => {
    for (const name of ['default', 'claude-code', 'open-code', 's08'] as const) {
      const { view } = walkWith(turns(40), presets[name](), { ...inChars, budget: tight({ floorFrom: 9_000 }) });
      expect(view.some(isWord)).toBe(name === 'open-code');
    }
  });
});

describe('summarize-history: how a compaction follows the one before', () => {
  const recompaction = (made: ReturnType<typeof summed>) => (editsOf(made).at(-1) as FoldEdit).summary!.recompaction;

  it('the first follows none; the next says which, how many answers ago, and whether the same request goes on', () => {
    const first = summed();
    expect(recompaction(first)).toEqual({ inChain: false, threshold: 1 });
    const second = summed({}, { ledger: first.ledger }, turns(16));
    expect(recompaction(second)).toEqual({ inChain: false, turnsSince: 6, previous: 'e1', threshold: 1 });
    const rounds = Array.from({ length: 6 }, (_, i) => round(`${i}`, 'mcp__lab__probe', { i }, 'y'.repeat(993))).flat();
    const chained = summed({}, { ledger: first.ledger }, [...turns(10), ...rounds]);
    expect(recompaction(chained)).toMatchObject({ inChain: true, turnsSince: 6, previous: 'e1' });
  });

  it('the threshold is the automatic one, also where a compaction was asked for; a refusal has none', () => {
    const forced = { budget: tight({ floorFrom: 7_000 }) };
    expect(recompaction(summed({}, { ...forced, trigger: 'manual' }))).toMatchObject({ threshold: 7_000 });
    expect(recompaction(summed({}, { trigger: 'overflow' }))).not.toHaveProperty('threshold');
  });
});

describe('summarize-history: what a model is asked for', () => {
  it('which part it is: all, the older one, or the recent one, and the message at its edge', () => {
    const need = (asked: Circumstances['asked'], options = {}) =>
      summaryNeed(summed(options, { ports: ['summary'], asked: asked! }));
    expect(need({})).toMatchObject({ scope: 'up-to', opening: expect.stringMatching(/^answer 7/) });
    expect(need({ form: 'all' })).toMatchObject({ scope: 'all', opening: expect.stringMatching(/^answer 9/) });
    expect(need({}, { tailTurns: 0 })).toMatchObject({ scope: 'all' });
    expect(need({ form: 'from', at: 'a3' })).toMatchObject({ scope: 'from', opening: 'question number 4?!!' });
    expect(need({}, { request: 'stand-alone' })).not.toHaveProperty('opening');
  });

  it('claude-code asks for 20,000 tokens, and takes what the others ask for less of up to 20,000', () => {
    const wide = { effective: 180_000, target: 63_000 };
    const need = (options: Parameters<typeof summed>[0]) =>
      summaryNeed(summed(options, { ports: ['summary'], budget: tight(wide) }, turns(170)));
    expect(need({ narrativeTokens: 20_000, narrativeFraction: 0.25 })).toMatchObject({
      maxTokens: 20_000,
      mostTokens: 25_000,
    });
    expect(need({})).toMatchObject({ maxTokens: 6_000, mostTokens: 20_000 });
    const [asked] = walkWith(
      turns(170),
      presets['claude-code']().filter(({ name }) => name !== 'snip-middle'),
      {
        ...inChars,
        ports: ['summary'],
        budget: tight(wide),
      },
    ).needs;
    expect(asked).toMatchObject({ type: 'summary', maxTokens: 20_000, scope: 'all' });
  });

  it('what code writes alone is no longer for that', () => {
    const alone = (options: Parameters<typeof summed>[0]) => {
      const budget = tight({ effective: 180_000, target: 63_000 });
      return textOf([summed({ evidenceTokens: 500, ...options }, { budget }, turns(170)).view[1]!]);
    };
    expect(alone({ narrativeTokens: 20_000, narrativeFraction: 0.25 })).toBe(alone({}));
    expect(alone({ narrativeTokens: 500 }).length).toBeLessThan(alone({}).length);
  });

  it('no more than half of what there is, and what is taken fits with the sentence before it', () => {
    const need = summaryNeed(
      summed(
        { narrativeTokens: 9_000, narrativeFraction: 1 },
        { ports: ['summary'], asked: { form: 'all' } },
        turns(3),
      ),
    );
    // The head stays: it is no part of what there is to tell.
    const told = need.sourceTokens - textOf(turns(1).slice(0, 1) as never).length;
    expect(need.maxTokens).toBe(Math.floor(told / 2));
    expect(need.mostTokens).toBeLessThan(told - 100);
  });

  it('a form by its name or as data, and a prompt of the host’s own', () => {
    const need = (options: Parameters<typeof summed>[0]) => summaryNeed(summed(options, { ports: ['summary'] }));
    expect(need({})).not.toHaveProperty('template');
    expect(need({ template: 'open-code' }).template!.sections.map(({ name }) => name)[0]).toBe('Goal');
    const own = { sections: [{ name: 'Alpha', guide: 'a' }], rules: [], analysis: false };
    expect(need({ template: own, prompt: 'Tell it.' })).toMatchObject({ template: own, prompt: 'Tell it.' });
    expect(() => summarizeHistory({ template: 'five' as never })).toThrow(
      /"template" must be "claude-code" or "open-code"/,
    );
    expect(() => summarizeHistory({ template: { sections: [{}] } as never })).toThrow(/"template" must be/);
  });

  it('a hook’s words for what to write come before the host’s, and the host’s form does not bind them', () => {
    const hooked: Fact = { type: 'hooked', key: 'hooks:u0:a7::', prompt: 'Sing it.', instructions: 'loud' };
    const made = summed(
      { template: 'open-code', prompt: 'Tell it.' },
      { ports: ['summary', 'hooks'], facts: [hooked] },
    );
    expect(summaryNeed(made)).toMatchObject({ prompt: 'Sing it.', instructions: 'loud' });
    expect(summaryNeed(made)).not.toHaveProperty('template');
  });

  it('the project’s instructions, behind the user’s and before a hook’s', () => {
    const hooked: Fact = { type: 'hooked', key: 'hooks:u0:a7::', instructions: 'hook' };
    const told = {
      ports: ['summary', 'hooks'] as const,
      facts: [hooked],
      compactInstructions: 'project',
      asked: { instructions: 'user' },
    };
    expect(summaryNeed(summed({}, told)).instructions).toBe('user\nproject\nhook');
    expect(summaryNeed(summed({}, { ports: ['summary'], compactInstructions: 'project' })).instructions).toBe(
      'project',
    );
  });
});

describe('summarize-history: where the transcript is', () => {
  it('the summary says it where it is told to and where it is known', () => {
    const frame = (options: object, told: Circumstances) => textOf([summed(options, told).view[1]!]).split('\n')[0];
    const known = { transcript: '/home/me/.palimpsest/s1.jsonl' };
    expect(frame({ namesTranscript: true }, known)).toContain(
      'The whole transcript is kept in /home/me/.palimpsest/s1.jsonl.',
    );
    expect(frame({ namesTranscript: true }, {})).not.toContain('transcript is kept');
    expect(frame({}, known)).not.toContain('transcript is kept');
  });
});
