import { exactBudget, refusal } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  check,
  createSession,
  emptyLedger,
  type Message,
  mergeNeighbours,
  type NewMessage,
  plan,
  presets,
  reasoning,
  repair,
  result,
  results,
  snipMiddle,
  text,
  user,
  violationOf,
} from '../src/index.ts';

import { long } from './texts.ts';

const layers = presets.default();
const floor = (history: readonly NewMessage[], tokens: number) =>
  plan(history, emptyLedger, { budget: exactBudget(tokens), layers });
const textOf = (messages: readonly Message[]): string => JSON.stringify(messages);

/** A round of `n` parallel calls whose results come one by one, or together. */
const parallel = (n: number, apart: boolean): readonly NewMessage[] => {
  const ids = Array.from({ length: n }, (_, i) => `c${i}`);
  const answers = ids.map((id) => result(id, long('output', 60)));
  return [
    assistant(ids.map((id) => call(id, 'bash', { command: id }))),
    ...(apart ? answers.map((one) => results([one])) : [results(answers)]),
  ];
};

describe('structure: what a provider rejects for ever', () => {
  it('S1 a cut between the results of parallel calls moves, or all of them go', () => {
    for (const n of [2, 3, 4, 5, 6])
      for (const apart of [true, false]) {
        const history = [user('start'), ...parallel(n, apart), user('again'), ...parallel(n, apart), user('now')];
        for (let tokens = 80; tokens < 2_500; tokens += 37) {
          const { view } = floor(history, tokens);
          expect(refusal(view, history)).toBeUndefined();
        }
        const snipped = plan(history, emptyLedger, {
          budget: exactBudget(1e6),
          layers: [snipMiddle({ keepFirst: 2, keepLast: 2 })],
        });
        expect(refusal(snipped.view, history)).toBeUndefined();
      }
  });

  it('S2 where only some parallel calls are answered, no call is left dangling', async () => {
    const session = createSession({ window: 10_000, broken: 'mend' });
    for (const message of [
      user('go'),
      assistant([call('x', 'bash'), call('y', 'bash')]),
      results([result('x', 'done')]),
      user('stop'),
    ])
      session.append(message);
    const pending = await session.view();
    expect(refusal(pending.messages, [user('go')])).toBeUndefined();
    session.append(assistant('I stopped'));
    const { messages } = await session.view();
    expect(refusal(messages, [user('go')])).toBeUndefined();
    expect(textOf(messages)).toContain('No result yet.');
  });

  it('S3 of a user message that mixes text and a result whose call goes, the result goes and the text stays', () => {
    const history = [
      user('first'),
      assistant([call('x', 'bash', { command: 'build' })]),
      {
        role: 'user' as const,
        origin: 'human' as const,
        parts: [result('x', long('noise', 400)), text('and never push to main')],
      },
      assistant(long('thinking aloud', 100)),
      user('next'),
    ];
    const { view } = floor(history, 120);
    expect(refusal(view, history)).toBeUndefined();
    expect(textOf(view)).toContain('and never push to main');
    expect(textOf(view)).not.toContain('noise noise');
  });

  it('S4 a call in flight is kept through a compaction, and its result still fits', async () => {
    const session = createSession({ window: 2_000, maxOutput: 100 });
    session.append(user('start'));
    for (let i = 0; i < 20; i++) {
      session.append(assistant([call(`a${i}`, 'bash', { command: `step ${i}` })]));
      session.append(results([result(`a${i}`, long('line', 80))]));
    }
    session.append(assistant([call('slow', 'bash', { command: 'make all' })]));
    await session.compact();
    const meanwhile = await session.view();
    expect(textOf(meanwhile.messages)).toContain('make all');
    expect(refusal(meanwhile.messages, [user('start')])).toBeUndefined();
    session.append(results([result('slow', 'built')]));
    const { messages } = await session.view();
    expect(messages.at(-1)!.parts[0]).toEqual(result('slow', 'built'));
    expect(refusal(messages, [user('start')])).toBeUndefined();
  });

  it('S5 an interim and a final result of one call are both kept, and the pair stays a pair', async () => {
    const session = createSession({ window: 100_000 });
    session.append(user('run it in the background'));
    session.append(assistant([call('job', 'bash', { command: 'train' })]));
    session.append(results([result('job', 'started, pid 7')]));
    session.append(assistant('It runs.'));
    await session.compact();
    session.append(results([result('job', 'finished: accuracy 0.93')]));
    const { messages } = await session.view();
    expect(refusal(messages, [user('x')])).toBeUndefined();
    expect(textOf(messages)).toContain('accuracy 0.93');
  });

  it('S6 a call at the head whose result never comes does not block later compactions', async () => {
    const session = createSession({ window: 2_000, maxOutput: 100, broken: 'mend' });
    session.append(user('start'));
    session.append(assistant([call('lost', 'bash', { command: 'hang' })]));
    for (let i = 0; i < 30; i++) {
      session.append(user(`question ${i}`));
      session.append(assistant(long('answer', 60)));
      const view = await session.view();
      expect(refusal(view.messages, [user('start')])).toBeUndefined();
      expect(view.fits).toBe(true);
    }
    expect(session.receipts().length).toBeGreaterThan(0);
  });

  it('S7 nothing that a layer made ever stands between a call and its result', () => {
    const history = [
      user('a'),
      ...parallel(3, true),
      user('b'),
      ...parallel(2, true),
      user('c'),
      ...parallel(2, false),
    ];
    for (let tokens = 100; tokens < 1_500; tokens += 23) {
      const { view } = floor(history, tokens);
      let open = 0;
      for (const message of view) {
        if (message.origin === 'palimpsest' && message.parts[0]!.type === 'text') expect(open).toBe(0);
        for (const part of message.parts) open += part.type === 'call' ? 1 : part.type === 'result' ? -1 : 0;
      }
    }
  });

  it('S8 the compact tool: compacting while its own call is in flight is valid, and its result still fits', async () => {
    const session = createSession({ window: 6_000, maxOutput: 200 });
    session.append(user('start'));
    for (let i = 0; i < 20; i++) for (const message of parallel(1, true)) session.append(message);
    session.append(assistant([call('self', 'compact', {})]));
    const receipt = await session.compact({ trigger: 'tool' });
    expect(receipt!.tokensAfter).toBeLessThan(receipt!.tokensBefore);
    session.append(results([result('self', 'compacted')]));
    const { messages } = await session.view();
    expect(refusal(messages, [user('start')])).toBeUndefined();
    expect(messages.at(-1)!.parts[0]).toEqual(result('self', 'compacted'));
  });

  it('S10 where a reasoning item belongs to the item behind it, they are kept or hidden together', () => {
    const history = [
      user('go'),
      ...Array.from({ length: 12 }, (_, i) => [
        assistant([reasoning('hm', `r${i}`), call(`c${i}`, 'bash', { command: `n ${i}` })]),
        results([result(`c${i}`, long('out', 60))]),
      ]).flat(),
      user('next'),
    ];
    const wire = { reasoning: 'with-next' as const, nativeEditing: false };
    for (let tokens = 100; tokens < 1_400; tokens += 53) {
      const { view } = plan(history, emptyLedger, { budget: exactBudget(tokens), layers, wire });
      for (const message of view) {
        const kinds = message.parts.map((part) => part.type);
        if (kinds.includes('call')) expect(kinds).toEqual(['reasoning', 'call']);
      }
    }
  });

  it('S11 signed reasoning is byte-identical or gone, and untouched in the latest assistant message', () => {
    const signed = (n: number): NewMessage =>
      assistant([reasoning(long('because', 60), `sig${n}`), text(`answer ${n}`)]);
    const history = [user('a'), signed(1), user('b'), signed(2), user('c'), signed(3), user('d'), signed(4)];
    const originals = new Set(history.flatMap((message) => message.parts.map((part) => JSON.stringify(part))));
    for (let tokens = 100; tokens < 800; tokens += 11) {
      const { view } = floor(history, tokens);
      for (const message of view)
        for (const part of message.parts)
          if (part.type === 'reasoning') expect(originals).toContain(JSON.stringify(part));
    }
    const { view } = floor(history, 300);
    expect(view.at(-1)).toMatchObject({ parts: history.at(-1)!.parts });
  });

  it('S11 where the wire binds reasoning to its prefix, nothing signed stands behind a change', () => {
    const round = (n: number): readonly NewMessage[] => [
      assistant([reasoning('hm', `sig${n}`), call(`c${n}`, 'bash', { command: `run ${n}` })]),
      results([result(`c${n}`, long('out', 100))]),
    ];
    const history = [user('go'), ...[1, 2, 3, 4, 5, 6].flatMap(round)];
    const wire = { reasoning: 'bound' as const, nativeEditing: false };
    const whole = plan(history, emptyLedger, { budget: exactBudget(1e6), layers, wire });
    expect(textOf(whole.view)).toContain('sig1');
    const { view } = plan(history, whole.ledger, { budget: exactBudget(400), layers, wire });
    const changed = view.findIndex((message, i) => JSON.stringify(message) !== JSON.stringify(whole.view[i]));
    for (const message of view.slice(changed))
      for (const part of message.parts) expect(part.type === 'reasoning' && part.signature !== undefined).toBe(false);
  });

  it('S12 neighbours of one role can be merged into strict alternation, results first', () => {
    const history = [
      user('one'),
      user('two'),
      ...parallel(2, true),
      user('typed meanwhile'),
      assistant('ok'),
      user('three'),
    ];
    for (const tokens of [90, 150, 400, 10_000]) {
      const merged = mergeNeighbours(floor(history, tokens).view);
      for (let i = 1; i < merged.length; i++) expect(merged[i]!.role).not.toBe(merged[i - 1]!.role);
      expect(violationOf(merged)).toBeUndefined();
      for (const { parts } of merged)
        expect(parts.findLastIndex((p) => p.type === 'result')).toBeLessThanOrEqual(
          parts.filter((p) => p.type === 'result').length,
        );
    }
  });

  it('S13 with everything hidden at least one message is left, and none is empty', () => {
    const history = [assistant(long('monologue', 300)), assistant(long('more', 300))];
    const { view } = floor(history, 80);
    expect(view.length).toBeGreaterThan(0);
    for (const message of view) expect(message.parts.length).toBeGreaterThan(0);
  });

  it('S14 a view made of a view passes the same rules', () => {
    const history = [user('a'), ...parallel(3, true), user('b'), ...parallel(2, false), user('c')];
    for (const tokens of [120, 300, 600]) {
      const once = floor(history, tokens).view;
      const twice = floor(once, Math.ceil(tokens / 2) + 60);
      expect(refusal(twice.view, once)).toBeUndefined();
    }
  });

  it('S15 a cut is found in a hundred tool rounds without a user message', () => {
    const history = [
      user('go'),
      ...Array.from({ length: 100 }, (_, i) => [
        assistant([call(`c${i}`, 'bash', { command: `n ${i}` })]),
        results([result(`c${i}`, long('row', 50))]),
      ]).flat(),
    ];
    const { view, tokens, fits } = floor(history, 3_000);
    expect(fits).toBe(true);
    expect(tokens).toBeLessThanOrEqual(3_000);
    expect(view.length).toBeGreaterThan(10);
    expect(view.at(-1)!.parts[0]).toEqual(history.at(-1)!.parts[0]);
  });

  it('S16 trailing results alone over the budget do not stop earlier history from being compacted', () => {
    const history = [user('old'), assistant(long('old talk', 300)), user('read all'), ...parallel(6, true)];
    const { view, fits } = floor(history, 400);
    expect(fits).toBe(true);
    expect(refusal(view, history)).toBeUndefined();
    expect(textOf(view)).not.toContain('old talk '.repeat(30));
    expect(textOf(view)).toContain('read all');
  });

  it('S17 the same call id in another turn pairs by position', async () => {
    const session = createSession({ window: 100_000 });
    for (const n of [1, 2, 3]) {
      session.append(user(`turn ${n}`));
      session.append(assistant([call('same', 'bash', { command: `echo ${n}` })]));
      session.append(results([result('same', `out ${n}`)]));
    }
    const { messages } = await session.view();
    expect(refusal(messages, [user('x')])).toBeUndefined();
    expect(messages.filter((message) => message.parts[0]!.type === 'result')).toHaveLength(3);
  });

  it('S18 a history broken by someone else is refused by name, and repaired on request with a report', () => {
    const broken: readonly [string, readonly NewMessage[]][] = [
      ['orphan-result', [user('a', 'u1'), results([result('nowhere', 'lost words')], 'bad')]],
      ['dangling-call', [user('a', 'u1'), assistant([call('x', 'bash')], 'a1'), assistant('moving on', 'bad')]],
      ['duplicate-id', [user('a', 'bad'), user('b', 'bad')]],
      ['empty-message', [user('a', 'u1'), { id: 'bad', role: 'user', parts: [] }]],
      ['empty-message', [user('a', 'u1'), user('  \n ', 'bad')]],
      ['unknown-role', [{ id: 'bad', role: 'system' as never, parts: [text('rules')] }]],
      ['misplaced-part', [user([call('x', 'bash')], 'bad')]],
    ];
    for (const [code, history] of broken) {
      expect(() => check(history)).toThrow(expect.objectContaining({ code, messageId: 'bad' }));
      expect(() => plan(history, emptyLedger, { budget: exactBudget(1_000) })).toThrow(
        expect.objectContaining({ code }),
      );
      const { messages, report } = repair(history);
      expect(report.map((problem) => problem.code)).toEqual([code]);
      expect(() => check(messages)).not.toThrow();
      expect(violationOf(messages)).toBeUndefined();
    }
    expect(textOf(repair(broken[0]![1]).messages)).toContain('lost words');
    const fine = [user('a', 'u1'), assistant('b', 'a1')] as const;
    expect(repair(fine)).toEqual({ messages: fine, report: [] });
  });
});
