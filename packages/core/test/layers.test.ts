import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  capResults,
  clearIdleResults,
  clearOldResults,
  compact,
  createSession,
  dropOldestRounds,
  emptyLedger,
  type Json,
  type Layer,
  type Ledger,
  type Message,
  type NewMessage,
  partText,
  plan,
  presets,
  result,
  results,
  type Stash,
  snipMiddle,
  stashLargeResults,
  summarizeHistory,
  supersedeReads,
  user,
} from '../src/index.ts';
import { textOf } from './texts.ts';

const roomy = budget({ window: 2_000_000 });
const walkWith = (history: readonly NewMessage[], layers: readonly Layer[], ledger: Ledger = emptyLedger, more = {}) =>
  plan(history, ledger, { budget: roomy, layers, ...more });
const round = (id: string, tool: string, input: Json, output: string, failed = false): readonly NewMessage[] => [
  assistant([call(id, tool, input)]),
  results([result(id, output, failed)]),
];
const bodies = (view: readonly Message[]): readonly string[] =>
  view.flatMap((message) => message.parts.filter((part) => part.type === 'result').map(partText));

describe('cap-results', () => {
  it('cuts shell output over 30,000 characters to head and tail with the total that went, as it arrives and never later', () => {
    const output = `HEAD\n${'x'.repeat(40_000)}\nTAIL`;
    const history = [
      user('go'),
      ...round('a', 'bash', { command: 'x' }, output),
      ...round('b', 'read', { path: 'x' }, output),
    ];
    const { view, ledger } = walkWith(history, [capResults()]);
    const [shell, read] = bodies(view);
    expect(shell!.length).toBeLessThanOrEqual(30_100);
    expect(shell).toMatch(/^HEAD[\s\S]*characters cut; recall e1[\s\S]*TAIL$/);
    expect(read).toBe(output);
    const seen = walkWith(history, [], emptyLedger).ledger;
    expect(bodies(walkWith(history, [capResults()], seen).view)[0]).toBe(output);
    expect(ledger.entries.some((entry) => entry.type === 'edits' && entry.declared)).toBe(false);
  });
});

describe('stash-large-results', () => {
  const stash = (): Stash & { readonly texts: string[] } => {
    const texts: string[] = [];
    return { texts, put: async (text) => `s${texts.push(text)}`, get: async (ref) => texts[Number(ref.slice(1)) - 1] };
  };
  const sized = (...sizes: readonly number[]): readonly NewMessage[] => [
    assistant(sizes.map((_, i) => call(`c${i}`, 'mcp__x__dump', { i }))),
    ...sizes.map((size, i) => results([result(`c${i}`, `${i}`.repeat(size))])),
  ];

  it('judges each group on the wire alone, however many messages it is, and saves the largest fresh results first', async () => {
    const port = stash();
    const history = [user('go'), ...sized(90_000, 60_000, 80_000), user('typed meanwhile'), ...sized(150_000)];
    const { view } = await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults()],
      ports: { stash: port },
    });
    expect(port.texts.map((text) => text.length)).toEqual([90_000]);
    const [first, second, third, alone] = bodies(view);
    expect(first).toContain('recall="e1"');
    expect(first).toContain('saved="s1"');
    expect(first!.length).toBeLessThan(2_300);
    for (const whole of [second, third, alone]) expect(whole!.length).toBeGreaterThan(50_000);
  });

  it('fates freeze: what was shown whole stays whole, and a preview is byte-identical without asking again, also after a restart', async () => {
    const port = stash();
    const options = { budget: roomy, layers: [stashLargeResults()], ports: { stash: port } };
    const history = [user('go'), ...sized(150_000)];
    const first = await compact(history, emptyLedger, options);
    const grown = [...history, results([result('late', 'x')].map((part) => ({ ...part, callId: 'c0' })))];
    const seenWhole = await compact(grown, JSON.parse(JSON.stringify(first.ledger)), options);
    expect(bodies(seenWhole.view)[0]).toHaveLength(150_000);
    const large = await compact([user('go'), ...sized(250_000)], emptyLedger, options);
    const preview = bodies(large.view)[0];
    const puts = port.texts.length;
    const again = await compact(
      [user('go'), ...sized(250_000), assistant('ok')],
      JSON.parse(JSON.stringify(large.ledger)),
      options,
    );
    expect(bodies(again.view)[0]).toBe(preview);
    expect(port.texts).toHaveLength(puts);
  });

  it('a group already shown does not weigh on the next one', async () => {
    const port = stash();
    const options = { budget: roomy, layers: [stashLargeResults({ overChars: 14_400 })], ports: { stash: port } };
    const shown = [user('go'), ...sized(13_000)];
    const first = await compact(shown, emptyLedger, options);
    const { view } = await compact([...shown, ...sized(3_500)], first.ledger, options);
    expect(bodies(view).map((body) => body.length)).toEqual([13_000, 3_500]);
  });

  it('neither empty, nor pictured, nor replaced, nor tiny results are saved; a stash that fails leaves the result as it is', async () => {
    const port = stash();
    const history = [user('go'), ...sized(250_000, 14, 0)];
    await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults({ overChars: 10 })],
      ports: { stash: port },
    });
    expect(port.texts.map((text) => text.length)).toEqual([250_000]);
    const broken: Stash = { put: () => Promise.reject(new Error('disk full')), get: async () => undefined };
    const { view } = await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults()],
      ports: { stash: broken },
    });
    expect(bodies(view)[0]).toHaveLength(250_000);
  });
});

describe('supersede-reads', () => {
  const file = 'line of code\n'.repeat(400);
  const layers = [supersedeReads({ batchTokens: 100 })];
  const pressed = { budget: { ...roomy, trigger: 10, target: 5 } };

  it('a file read again without change points at the earlier read; the earlier one stays', () => {
    const history = [
      user('go'),
      ...round('a', 'read', { path: 'a.ts' }, file),
      ...round('b', 'read', { path: 'a.ts' }, file),
    ];
    const [first, second] = bodies(walkWith(history, layers).view);
    expect(first).toBe(file);
    expect(second).toContain('has not changed');
  });

  it('stale reads and repeated searches go, the newest stays; failed writes supersede nothing', () => {
    const history = [
      user('go'),
      ...round('a', 'read', { path: 'a.ts' }, file),
      ...round('b', 'read', { path: 'b.ts' }, `${file}b`),
      ...round('w', 'write', { path: 'a.ts', content: 'x' }, 'permission denied', true),
      ...round('e', 'edit', { path: 'b.ts', old_string: 'x', new_string: 'y' }, 'ok'),
      ...round('g', 'grep', { pattern: 'foo' }, file),
      ...round('h', 'grep', { pattern: 'foo' }, `${file}h`),
      ...round('p', 'read', { path: 'c.ts', offset: 1, limit: 50 }, file),
      ...round('q', 'read', { path: 'c.ts', offset: 51, limit: 50 }, `${file}q`),
    ];
    const [a, b, , , g, h, p, q] = bodies(walkWith(history, layers, emptyLedger, pressed).view);
    expect(a).toBe(file);
    expect(b).toContain('superseded');
    expect(g).toContain('superseded');
    expect(h).toBe(`${file}h`);
    expect([p, q]).toEqual([file, `${file}q`]);
  });

  it('works in batches: without pressure small gains leave the prefix alone', async () => {
    const session = createSession({ window: 200_000, layers: [supersedeReads()] });
    session.append(user('go'));
    let declared = 0;
    for (let i = 0; i < 120; i++) {
      for (const message of round(`r${i}`, 'read', { path: 'a.ts' }, `${file}${i}`)) session.append(message);
      if ((await session.view()).receipt?.declared) declared++;
    }
    expect(declared).toBeGreaterThan(0);
    expect(declared).toBeLessThan(8);
  });
});

describe('snip-middle', () => {
  it('over 50 messages the first 3 and the last 47 stay, with one notice that counts; not inside a subagent', () => {
    const history = Array.from({ length: 80 }, (_, i) =>
      i % 2 === 0 ? user(`question ${i}`) : assistant(`answer ${i}`),
    );
    const { view } = walkWith(history, [snipMiddle()]);
    expect(view).toHaveLength(51);
    expect(textOf([view[3]!])).toContain('30 earlier messages');
    expect(view.slice(0, 3)).toEqual(walkWith(history, []).view.slice(0, 3));
    expect(view.slice(4)).toEqual(walkWith(history, []).view.slice(-47));
    expect(walkWith(history, [snipMiddle()], emptyLedger, { subagent: true }).view).toHaveLength(80);
    expect(walkWith(history.slice(0, 50), [snipMiddle()]).view).toHaveLength(50);
  });
});

describe('clearing', () => {
  const output = 'row of output\n'.repeat(60);
  const rounds = (n: number, tool = 'bash'): readonly NewMessage[] =>
    Array.from({ length: n }, (_, i) =>
      round(`${tool}${i}`, tool, { command: `n ${i}`, path: `p${i}` }, output),
    ).flat();
  const cleared = (view: readonly Message[]): number => bodies(view).filter((body) => body.includes('cleared')).length;

  it('idle: after more than 60 minutes all but the newest results go, and at least one stays', () => {
    const at = 1_000_000;
    const history = [user('go'), ...rounds(8).map((message) => ({ ...message, at })), user('back')];
    const later = (minutes: number) => ({ now: at + minutes * 60_000 });
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 3 })], emptyLedger, later(61)).view)).toBe(5);
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 3 })], emptyLedger, later(60)).view)).toBe(0);
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 0 })], emptyLedger, later(61)).view)).toBe(7);
  });

  it('count: the last 3 stay, older ones over 120 characters go, calls stay', () => {
    const history = [user('go'), ...round('s', 'bash', {}, 'x'.repeat(120)), ...rounds(6)];
    const { view } = walkWith(history, [clearOldResults({ mode: 'count' })]);
    expect(cleared(view)).toBe(3);
    expect(bodies(view)[0]).toHaveLength(120);
    expect(view.filter((message) => message.role === 'assistant')).toHaveLength(7);
  });

  it('prune: two turns and the newest 40,000 tokens of output are safe, at least 20,000 must go, some tools never do', () => {
    const big = 'word '.repeat(10_000);
    const turn = (i: number, tool = 'bash'): readonly NewMessage[] => [
      user(`turn ${i}`),
      ...round(`t${i}`, tool, { command: 'x' }, big),
    ];
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

  it('native: messages are left alone and the wire is asked, where it can', () => {
    const history = [user('go'), ...rounds(30)];
    const layer = clearOldResults({ mode: 'native', keep: 3, exceptTools: ['skill'] });
    const wire = { reasoning: 'free' as const, nativeEditing: true };
    const asked = walkWith(history, [layer], emptyLedger, { wire });
    expect(asked.native).toEqual([{ type: 'clear-results', keep: 3, exceptTools: ['skill'] }]);
    expect(asked.view).toEqual(walkWith(history, []).view);
    expect(walkWith(history, [layer]).native).toEqual([]);
  });
});

describe('drop-oldest-rounds', () => {
  const history: NewMessage[] = [user('Never touch the vault.')];
  for (let i = 0; i < 30; i++) {
    history.push(...round(`c${i}`, 'mcp__lab__measure', { sample: i }, `reading ${i}: ${'stable '.repeat(60)}`));
    history.push(assistant(`Reading ${i} is in.`), user(`and the next, ${i}?`));
  }
  const whole = walkWith(history, []).tokens;
  const walked = (target: number, trigger: number) =>
    walkWith(history, [summarizeHistory(), dropOldestRounds()], emptyLedger, {
      budget: { ...budget({ window: whole * 2 }), effective: whole, target, trigger },
    });
  const layersOf = ({ ledger }: { ledger: Ledger }): readonly string[] =>
    ledger.entries.flatMap((entry) => (entry.type === 'edits' ? [entry.layer] : []));

  it('hides no round without a word where a summary missed the target but left the view far below the trigger', () => {
    const target = 100;
    const made = walked(target, whole - 1);
    expect(layersOf(made)).toEqual(['summarize-history']);
    expect(made.tokens).toBeGreaterThan(target);
    expect(made.tokens).toBeLessThan((target + whole) / 2);
  });

  it('acts where the view would be at the trigger again at once', () => {
    const made = walked(100, 110);
    expect(layersOf(made)).toContain('drop-oldest-rounds');
    expect(made.tokens).toBeLessThanOrEqual(100);
  });
});

describe('receipts', () => {
  it('count what was hidden once, however often it is folded again, and a notice names all that it stands for', async () => {
    const session = createSession({ window: 12_000, maxOutput: 200 });
    session.append(user('start'));
    for (let i = 0; i < 120; i++) {
      for (const message of round(`c${i}`, 'mcp__lab__probe', { i }, `value ${i} ${'steady '.repeat(60)}`))
        session.append(message);
      if (i === 20) session.pin(session.append(user('pinned words')));
      if (i % 10 === 0) await session.view();
    }
    const hidden = session
      .receipts()
      .flatMap((receipt) => receipt.lines)
      .filter((line) => line.kind === 'messages')
      .reduce((sum, line) => sum + line.count, 0);
    const { messages } = await session.view();
    expect(hidden).toBeLessThanOrEqual(session.transcript().length);
    // What the view names is enough to read everything that it does not show.
    const reached = new Set(messages.map((message) => message.id));
    for (const [, ref] of textOf(messages).matchAll(/recall (e\d+(?: to e\d+)?)/g))
      for (const message of session.recall.read(ref!).messages) reached.add(message.id);
    expect(session.transcript().filter((message) => !reached.has(message.id))).toEqual([]);
  });
});

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
      const made = plan(history, emptyLedger, {
        budget: budget({ window: 12_000, maxOutput: 1_000 }),
        layers: preset(),
      });
      const steps = made.visits
        .filter((visit) => visit.edits > 0)
        .map((visit) => `  ${visit.layer}: ${visit.edits} edits, ${visit.tokensBefore} -> ${visit.tokensAfter}`);
      return [`${name}: ${made.view.length} messages, ${made.tokens} tokens`, ...steps].join('\n');
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./goldens/walk.txt');
  });
});
