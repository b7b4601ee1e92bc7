import { refusal, virtualClock } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type FoldEdit,
  type Message,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../src/index.ts';
import { PATIENCE } from '../src/summary/patient-call.ts';
import { bad, good, scripted, slow, summaryFor } from './summarizers.ts';
import { askingLayers } from './support/asking-layers.ts';
import { long, textOf } from './texts.ts';

/** Work: a question, and some rounds of tools with answers worth a few hundred tokens. */
function work(session: Session, turns: number, rounds = 3): void {
  for (let turn = 0; turn < turns; turn++) {
    const n = session.transcript().length;
    session.append(user(`please look into matter ${n} for me`));
    for (let i = 0; i < rounds; i++) {
      session.append(assistant([call(`c${n}-${i}`, 'mcp__lab__measure', { sample: `probe_${n}_${i}` })]));
      session.append(results([result(`c${n}-${i}`, `reading ${n}${i}77: ${long('stable', 120)}`)]));
    }
    session.append(assistant(`Matter ${n} is settled: the probe holds.`));
  }
}

const liveSummaries = (messages: readonly Message[]): number =>
  messages.filter((message) => textOf([message]).includes('[Summary of')).length;

const summaryFolds = (session: Session): FoldEdit[] =>
  session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
    .filter((edit): edit is FoldEdit => edit.type === 'fold' && edit.summary?.of === 'history');

/** The five ways a compaction comes about; each must use the same pipeline. */
const paths: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  auto: async (session) => {
    work(session, 14);
    return session.view();
  },
  manual: (session) => session.compact({ form: 'up-to' }),
  tool: (session) => session.compact({ trigger: 'tool', form: 'up-to' }),
  idle: (session) => session.compact({ trigger: 'idle', form: 'up-to' }),
  overflow: (session) => session.overflowed({ maximum: 6_000 }),
  switch: (session) => session.switchTo({ window: 6_000 }),
};

/** Without the layers that would spare the summary. */
const summarizing = [summarizeHistory(), dropOldestRounds()];

const setUp = (options: Partial<SessionOptions>): Session => {
  const session = createSession({ window: 20_000, maxOutput: 500, layers: askingLayers(), drafts: false, ...options });
  session.append(user('never touch the vault directory'));
  work(session, 8);
  return session;
};

describe('a summarizer that fails in every way known', () => {
  for (const [how, make] of Object.entries(bad))
    for (const [path, trigger] of Object.entries(paths))
      it(`C1 ${how} (${path}): the session goes on, valid, nothing lost, calls bounded`, async () => {
        const clock = virtualClock();
        const summarizer = make();
        const events: SessionEvent[] = [];
        const session = setUp({ ports: { summarizer, clock }, on: (event) => events.push(event) });
        await session.view();
        const said = JSON.stringify(session.transcript());
        await clock.run(trigger(session));
        expect(JSON.stringify(session.transcript()).startsWith(said.slice(0, -1))).toBe(true);
        const { messages, fits } = await clock.run(session.view());
        expect(refusal(messages, [user('x')])).toBeUndefined();
        expect(fits).toBe(true);
        expect(textOf(messages)).toContain('never touch the vault directory');
        expect(summarizer.requests.length).toBeLessThanOrEqual(PATIENCE.calls * 2);
        for (const edit of summaryFolds(session)) expect(edit.summary!.by).toBe('digest');
        if (summarizer.requests.length > 0 || how === 'has a window too small for anything')
          expect(
            events.some((event) => event.type === 'need-failed' && event.need === 'summary') ||
              summaryFolds(session).length === 0,
          ).toBe(true);
        const starts = events.filter((event) => event.type === 'compaction-started').length;
        expect(events.filter((event) => event.type === 'compaction-ended')).toHaveLength(starts);
      });

  it('after three failures in a row the summarizer is not asked any more by itself; a success resets the count', async () => {
    let broken = true;
    const fine = good();
    const summarizer = scripted((request) => (broken ? { text: '', stop: 'end' } : fine.summarize(request, {})));
    const events: SessionEvent[] = [];
    const session = setUp({ ports: { summarizer }, layers: summarizing, on: (event) => events.push(event) });
    for (let i = 0; i < 12; i++) {
      work(session, 10);
      await session.view();
    }
    expect(
      events.filter((event) => event.type === 'automatic-stopped' && event.reason === 'summarizer-failed'),
    ).toHaveLength(1);
    const calls = summarizer.requests.length;
    expect(calls).toBeLessThanOrEqual(3 * 2);
    broken = false;
    work(session, 6);
    await session.compact({ form: 'up-to' });
    expect(summaryFolds(session).at(-1)!.summary!.by).toBe('model');
    work(session, 26);
    await session.view();
    expect(summarizer.requests.length).toBeGreaterThan(calls + 1);
  });

  it('T1 an abort during the summary leaves the session byte-identical, is no failure, and a second call works', async () => {
    const stop = new AbortController();
    let hang = true;
    const fine = good();
    const summarizer = scripted((request) => (hang ? new Promise(() => {}) : fine.summarize(request, {})));
    const session = setUp({ ports: { summarizer } });
    await session.view();
    const before = JSON.stringify([session.ledger(), session.transcript()]);
    const pending = session.compact({ form: 'up-to', signal: stop.signal });
    await new Promise((go) => setTimeout(go, 5));
    stop.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(JSON.stringify([session.ledger(), session.transcript()])).toBe(before);
    hang = false;
    expect((await session.compact({ form: 'up-to' }))!.tokensAfter).toBeLessThan(session.status().budget.trigger);
  });
});

describe('the request', () => {
  it('says first and last that there are no tools, names nine sections, carries instructions and the previous summary once', async () => {
    const summarizer = good();
    const session = setUp({ ports: { summarizer }, layers: summarizing });
    await session.compact({ form: 'up-to', instructions: 'mind the probes' });
    work(session, 10);
    await session.compact({ form: 'up-to' });
    const bodies = summarizer.requests.map((request) => textOf(request.messages));
    expect(bodies[0]).toContain('mind the probes');
    const second = bodies.at(-1)!;
    expect(second.split('<earlier-summary>')).toHaveLength(2);
    expect(second.split('The user wants the work done.')).toHaveLength(2);
    for (const body of bodies) {
      const request = body.slice(body.indexOf('</conversation>'));
      expect(request.indexOf('Tools are not available')).toBeLessThan(request.indexOf('## Request and intent'));
      expect(request.lastIndexOf('Tools are not available')).toBeGreaterThan(request.indexOf('## Next step'));
    }
    for (const { messages } of summarizer.requests) expect(refusal(messages, messages)).toBeUndefined();
  });

  it('shares the live prefix where the summarizer has it in its cache', async () => {
    const summarizer = good({ sharesPrefix: true });
    const session = setUp({ ports: { summarizer } });
    const live = await session.view();
    await session.compact({ form: 'up-to' });
    const [request] = summarizer.requests;
    expect(request!.form).toBe('same-prefix');
    expect(JSON.stringify(request!.messages.slice(0, live.messages.length))).toBe(JSON.stringify(live.messages));
    expect(refusal(request!.messages, live.messages)).toBeUndefined();
  });

  it('A14 S14 a request too long shrinks geometrically at most three times and stays whole', async () => {
    const summarizer = scripted(() => {
      throw Object.assign(new Error('prompt is too long'), { code: 'too-long' });
    });
    const session = setUp({ ports: { summarizer } });
    await session.compact({ form: 'up-to' });
    const sizes = summarizer.requests.map((request) => textOf(request.messages).length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThanOrEqual(PATIENCE.calls);
    for (const { messages } of summarizer.requests) expect(refusal(messages, messages)).toBeUndefined();
  });

  it('an input larger than the summarizer is folded in parts, each bringing the summary so far up to date', async () => {
    const summarizer = good({ window: 3_500 });
    const session = createSession({ window: 60_000, maxOutput: 500, drafts: false, ports: { summarizer } });
    session.append(user('start'));
    work(session, 12);
    await session.compact({ form: 'up-to' });
    expect(summarizer.requests.length).toBeGreaterThan(1);
    for (const [i, request] of summarizer.requests.entries()) {
      expect(session.status().tokens).toBeGreaterThan(0);
      expect(textOf(request.messages).includes('<earlier-summary>')).toBe(i > 0);
    }
  });
});

describe('drafts', () => {
  it('with drafts and a summarizer that takes 30 s, compactions of a long session wait for nothing', async () => {
    const clock = virtualClock();
    const summarizer = slow(clock, 30_000);
    const session = createSession({
      window: 40_000,
      maxOutput: 500,
      layers: summarizing,
      ports: { summarizer, clock },
    });
    session.append(user('start'));
    let compactions = 0;
    let waited = 0;
    // The user speaks rarely: what is typed stays, and would fill the room below the trigger in time.
    for (let turn = 0; turn < 250; turn++) {
      work(session, 1, 8);
      const before = clock.now();
      const { messages } = await clock.run(session.view());
      expect(refusal(messages, [user('x')])).toBeUndefined();
      const folds = summaryFolds(session).length;
      if (folds > compactions && clock.now() > before) waited++;
      compactions = folds;
      await clock.advance(32_000);
    }
    console.log(`drafts: ${compactions} compactions, ${waited} had to wait, ${summarizer.requests.length} calls`);
    expect(compactions).toBeGreaterThan(15);
    expect(waited / compactions).toBeLessThanOrEqual(0.05);
    expect(summaryFolds(session).filter((edit) => edit.summary!.by === 'draft').length / compactions).toBeGreaterThan(
      0.9,
    );
  });

  it('a draft whose prefix no longer stands is dropped', async () => {
    const summarizer = good();
    const session = createSession({ window: 20_000, maxOutput: 500, layers: summarizing, ports: { summarizer } });
    session.append(user('start'));
    while (session.status().tokens < session.status().budget.trigger * 0.8) {
      work(session, 1);
      await session.view();
    }
    await session.settled();
    expect(session.ledger().entries.some((entry) => entry.type === 'draft')).toBe(true);
    await session.compact({ form: 'up-to', instructions: 'something else' });
    const folds = summaryFolds(session);
    expect(folds.at(-1)!.summary!.by).toBe('model');
    session.undo();
    work(session, 12);
    await session.compact({ form: 'up-to' });
    for (const edit of summaryFolds(session)) expect(edit.summary!.by).not.toBe('draft');
  });

  it('a draft survives a restart', async () => {
    const records: never[] = [];
    const journal = {
      append: async (more: readonly unknown[]) => void records.push(...(more as never[])),
      close: async () => {},
    };
    const options = { window: 20_000, maxOutput: 500, layers: summarizing };
    const first = createSession({ ...options, journal, ports: { summarizer: good() } });
    first.append(user('start'));
    while (!first.ledger().entries.some((entry) => entry.type === 'draft')) {
      work(first, 1);
      await first.view();
      await first.settled();
    }
    await first.saved();
    const never = scripted(() => ({ text: '', stop: 'end' }));
    const second = createSession({
      ...options,
      records: JSON.parse(JSON.stringify(records)),
      ports: { summarizer: never },
    });
    for (let i = 0; i < 40 && summaryFolds(second).length === 0; i++) {
      work(second, 1);
      await second.view();
    }
    expect(summaryFolds(second)[0]!.summary!.by).toBe('draft');
  });
});

describe('the summary in the view', () => {
  it('C2 five in a row: one live summary, bounded, and {summarized} ∪ {kept} is everything, disjoint', async () => {
    for (const ports of [{}, { summarizer: good() }]) {
      const session = setUp({ ports });
      const sizes: number[] = [];
      for (let i = 0; i < 5; i++) {
        work(session, 6);
        await session.compact({ form: 'up-to' });
        const { messages } = await session.view();
        expect(liveSummaries(messages)).toBe(1);
        sizes.push(textOf(messages.filter((message) => message.origin === 'palimpsest')).length);
      }
      expect(Math.max(...sizes)).toBeLessThan(sizes[0]! * 3 + 6_000);
    }
  });

  it('stands in the order boundary, summary, kept, attachments, hook results, and names the kept segment', async () => {
    const session = createSession({
      window: 40_000,
      maxOutput: 500,
      ports: {
        carry: { carry: async () => [{ kind: 'todo', name: 'todo', text: '1. paint the fence (open)' }] },
        hooks: {
          before: () => ({ instructions: 'and the fence', message: 'compacting now' }),
          after: () => ({ context: 'the build is green' }),
        },
      },
    });
    session.append(user('start'));
    work(session, 12);
    session.append(user('newest words'));
    await session.compact({ form: 'up-to' });
    const { messages } = await session.view();
    const at = (needle: string): number => messages.findIndex((message) => textOf([message]).includes(needle));
    const summary = at('[Summary of');
    expect(messages.slice(0, summary).every(({ origin }) => origin === 'human')).toBe(true);
    expect(at('paint the fence')).toBe(summary + 1);
    expect(at('newest words')).toBeGreaterThan(summary + 1);
    expect(at('the build is green')).toBe(messages.length - 1);
    const { kept } = summaryFolds(session)[0]!.summary!;
    expect(kept).toMatchObject({ first: messages[summary + 2]!.id, anchor: messages[summary]!.id });
    session.undo();
    expect(textOf((await session.view()).messages)).not.toContain('paint the fence');
  });

  it('a hook may veto, speak, fail or hang; under pressure the view fits all the same', async () => {
    const hooks = { veto: { veto: 'not now' }, nothing: undefined } as const;
    for (const before of [
      () => hooks.veto,
      () => hooks.nothing,
      () => Promise.reject(new Error('broken')),
      () => new Promise<never>(() => {}),
    ]) {
      const clock = virtualClock();
      const events: SessionEvent[] = [];
      const session = setUp({
        ports: { hooks: { before }, clock },
        on: (event) => events.push(event),
      });
      work(session, 14);
      const { fits, messages } = await clock.run(session.view());
      expect(fits).toBe(true);
      expect(refusal(messages, [user('x')])).toBeUndefined();
    }
  });

  it('forms: everything, the old part, the recent part', async () => {
    const all = setUp({});
    await all.compact({ form: 'all' });
    const folded = (await all.view()).messages;
    expect(liveSummaries(folded)).toBe(1);
    // What the user typed stays, and the summary stands behind it.
    const typed = all.transcript().filter(({ origin }) => origin === 'human');
    expect(folded.slice(0, -1)).toEqual(typed);

    const from = setUp({});
    const { id } = from.transcript()[20]!;
    await from.compact({ form: 'from', at: id });
    const kept = (await from.view()).messages;
    expect(kept.slice(0, 5).map((message) => message.id)).toEqual(
      from
        .transcript()
        .slice(0, 5)
        .map((message) => message.id),
    );
    expect(liveSummaries(kept.slice(-3))).toBe(1);

    const upTo = setUp({});
    const at = upTo.transcript()[24]!;
    await upTo.compact({ form: 'up-to', at: at.id });
    const { messages } = await upTo.view();
    expect(liveSummaries(messages)).toBe(1);
    for (const session of [all, from, upTo])
      expect(refusal((await session.view()).messages, [user('x')])).toBeUndefined();
  });

  it('text of a summary that the source does not hold is marked and named in the receipt; what a provider wrote goes back to it as it was', async () => {
    const key = ['sk', 'ant', 'q7Zx'.repeat(8)].join('-');
    const told = `src/made/up.ts and the vault directory, key ${key}`;
    const said = '- "never touch the vault directory"';
    for (const layers of [summarizing, presets.default()]) {
      const summarizer = scripted((request) => ({
        text: summaryFor(request, { 'Files and code': told, Code: told, 'User messages': said, Goal: said }),
        stop: 'end',
      }));
      const session = setUp({ ports: { summarizer }, layers });
      const receipt = await session.compact({ form: 'up-to' });
      expect(receipt!.flagged).toContain('src/made/up.ts');
      const seen = textOf((await session.view()).messages);
      expect(seen).toContain('src/made/up.ts (unverified)');
      expect(seen).toContain(`key ${key}`);
    }
  });
});
