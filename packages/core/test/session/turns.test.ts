import { afterEveryStep, estimateOnce, fastOrDeep, histories, inOnePiece } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type EventLoop,
  forkSession,
  type Journal,
  type JournalRecord,
  loadSession,
  type NewMessage,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { newEventLoop } from '../../src/session/event-loop.ts';
import { good } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';

const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tokens = fc.integer({ min: 200, max: 6_000 });

/** Rounds of reads and tests that are far too much for the window. */
const longHistory = (rounds: number, chars = 400): readonly NewMessage[] => [
  user('Never touch the vault. Mend the parser.', 'u'),
  ...Array.from({ length: rounds }, (_, i) => [
    assistant([call(`c${i}`, i % 2 === 0 ? 'read' : 'bash', { path: `src/part-${i % 5}.ts`, command: 'npm test' })]),
    results([result(`c${i}`, `const value${i} = ${i};\n`.repeat(Math.ceil(chars / 20)))]),
    ...(i % 4 === 3 ? [assistant(`Part ${i} is fixed.`), user(`And now part ${i + 1}.`, `w${i}`)] : []),
  ]).flat(),
];

describe('a view in slices', () => {
  it('has the bytes of one made in one piece, in every preset, with and without a model', async () => {
    const leadThrough = async (options: SessionOptions, history: readonly NewMessage[], loop: EventLoop) => {
      const events: SessionEvent[] = [];
      const session = createSession({
        ...options,
        on: (event) => events.push(event),
        ports: { ...options.ports, loop },
      });
      const views: unknown[] = [];
      for (const [i, message] of history.entries()) {
        if (message.role === 'assistant' && i > 0) views.push(await session.view());
        session.append(message);
      }
      views.push(await session.view());
      views.push(await session.preview().catch((error: Error) => error.message));
      return { views, events, ledger: session.ledger(), receipts: session.receipts() };
    };
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, fc.boolean(), async (history, name, size, hasModel) => {
        const options = {
          window: Math.max(1_200, size),
          maxOutput: 100,
          layers: askingLayers(name),
          count: estimateOnce,
          broken: 'mend' as const,
          drafts: false,
          ports: hasModel ? { summarizer: good() } : {},
        };
        const loop = afterEveryStep();
        expect(await leadThrough(options, history, loop)).toEqual(await leadThrough(options, history, inOnePiece));
        expect(loop.turns).toBeGreaterThan(0);
      }),
      { numRuns: fastOrDeep(60, 1_500) },
    );
  });

  it('lets the loop turn in the middle of the first view of a long history', async () => {
    const session = createSession({ window: 20_000 });
    for (const message of longHistory(400, 4_000)) session.append(message);
    let turns = 0;
    const count = (): void => {
      turns++;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const { fits } = await session.view();
    clearImmediate(ticking);
    expect(fits).toBe(true);
    expect(turns).toBeGreaterThan(3);
  });

  it('drafts ahead in slices too, and what it drafts is the same', async () => {
    const draft = async (loop: EventLoop) => {
      const layers = [summarizeHistory(), dropOldestRounds()];
      const session = createSession({ window: 40_000, maxOutput: 1_000, layers, ports: { summarizer: good(), loop } });
      for (let i = 0; ; i++) {
        session.append(user(`Please do thing ${i}.`, `u${i}`));
        session.append(assistant(`Thing ${i} is done. ${`word${i} `.repeat(300)}`, `a${i}`));
        const { tokens: now, budget } = session.status();
        if (now > budget.trigger * 0.8) break;
      }
      session.append(user('And now?', 'u'));
      await session.view();
      await session.settled();
      return session.ledger();
    };
    const loop = afterEveryStep();
    const ledger = await draft(loop);
    expect(ledger.entries.filter(({ type }) => type === 'draft')).toHaveLength(1);
    expect(ledger).toEqual(await draft(inOnePiece));
  });
});

describe('a session that is loaded or forked in slices', () => {
  it('is the one that is loaded or forked at once, and others have their turn meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), preset, tokens, async (history, name, size) => {
        const records: JournalRecord[] = [];
        const journal: Journal = {
          append: async (more) => {
            records.push(...(JSON.parse(JSON.stringify(more)) as JournalRecord[]));
          },
          close: async () => {},
        };
        const options = { window: Math.max(1_200, size), maxOutput: 100, layers: presets[name](), count: estimateOnce };
        const first = createSession({ ...options, journal, broken: 'mend', ports: { loop: inOnePiece } });
        for (const [i, message] of history.entries()) {
          if (message.role === 'assistant' && i > 0) await first.view();
          first.append(message);
        }
        await first.view();
        const tell = async (session: Session) => [session.ledger(), session.transcript(), await session.view()];
        const loop = afterEveryStep();
        const loaded = await loadSession({ ...options, records, ports: { loop } });
        expect(loop.turns).toBeGreaterThanOrEqual(records.length);
        expect(await tell(loaded)).toEqual(await tell(createSession({ ...options, records })));
        const upTo = first.transcript()[Math.floor(history.length / 2)]!.id;
        const forked = await forkSession(first, upTo, { ports: { loop: afterEveryStep() } });
        expect(await tell(forked)).toEqual(await tell(first.fork(upTo)));
      }),
      { numRuns: fastOrDeep(60, 1_000) },
    );
  });

  it('has nothing of what is said to the other session meanwhile', async () => {
    const session = createSession({ window: 3_000 });
    for (const message of longHistory(6)) session.append(message);
    const { length } = session.transcript();
    const loop = afterEveryStep((turn) => turn === 2 && session.append(user('Stop.', 'late')));
    const forked = await forkSession(session, undefined, { ports: { loop } });
    expect(forked.transcript()).toEqual(session.transcript().slice(0, length));
  });

  it('says what is wrong as ever', async () => {
    await expect(loadSession({ window: -1 })).rejects.toThrow(/window/);
    await expect(forkSession(createSession({ window: 3_000 }), 'nobody')).rejects.toThrow(/no message "nobody"/);
    await expect(forkSession({} as Session)).rejects.toThrow(/needs a session/);
  });
});

describe('what comes while a view waits between two slices', () => {
  const history = longHistory(14, 1_200);
  const open = (loop: EventLoop): Session => {
    const session = createSession({ window: 3_000, maxOutput: 200, ports: { loop } });
    for (const message of history) session.append(message);
    return session;
  };
  const stateOf = (session: Session) => ({ ledger: session.ledger(), transcript: session.transcript() });
  /** What is done at once, whoever waits: it counts as done before the view. */
  const DEEDS: Readonly<Record<string, (session: Session, n: number) => void>> = {
    'a message of the user': (session, n) => session.append(user('Stop: keep the old parser.', `late${n}`)),
    'an answer': (session, n) => session.append(assistant(`Meanwhile ${n}.`, `said${n}`)),
    'a report': (session) => session.observe({ input: 4_000, output: 10 }),
    'a pin': (session) => session.pin('w3'),
    'a look at the status': (session) => session.status(),
    'a recall': (session) => session.recall.read('u'),
    'a fork': (session) => session.fork(),
  };
  const names = Object.keys(DEEDS);

  /** Every turn of the undisturbed view at which something can come in between. */
  const turnsOf = async (): Promise<readonly number[]> => {
    const loop = afterEveryStep();
    expect((await open(loop).view()).receipt).toBeDefined();
    expect(loop.turns).toBeGreaterThan(20);
    return Array.from({ length: loop.turns }, (_, i) => i + 1);
  };
  const some = (turns: readonly number[], count: number): readonly number[] =>
    turns.filter((_, i) => i % Math.ceil(turns.length / count) === 0);

  it.each(names)('%s counts as come before it, at whatever step it comes', async (name) => {
    const deed = DEEDS[name]!;
    const early = open(inOnePiece);
    deed(early, 0);
    const expected = await early.view();
    for (const at of some(await turnsOf(), fastOrDeep(12, 10_000))) {
      const session = open(afterEveryStep((turn) => turn === at && deed(session, 0)));
      expect(await session.view()).toEqual(expected);
      expect(stateOf(session)).toEqual(stateOf(early));
    }
  });

  it('two of them in any order, at any two steps, too', async () => {
    const turns = some(await turnsOf(), fastOrDeep(2, 8));
    for (const first of names)
      for (const second of names) {
        const early = open(inOnePiece);
        DEEDS[first]!(early, 1);
        DEEDS[second]!(early, 2);
        const expected = await early.view();
        for (const [i, at] of turns.entries()) {
          const later = turns[(i + 1) % turns.length]!;
          // The second comes so many turns behind the first, whether that made the view begin anew or not.
          const session = open(
            afterEveryStep((turn) => {
              if (turn === at) DEEDS[first]!(session, 1);
              if (turn === at + later) DEEDS[second]!(session, 2);
            }),
          );
          const view = await session.view();
          if (stateOf(session).ledger.entries.length + session.transcript().length < countAll(early)) continue;
          expect(view).toEqual(expected);
          expect(stateOf(session)).toEqual(stateOf(early));
        }
      }
  });
  /** The second deed may have had no turn left. */
  const countAll = (session: Session): number => session.ledger().entries.length + session.transcript().length;

  it('views, compactions and switches wait for it, in the order in which they were asked for', async () => {
    const ask: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
      view: (session) => session.view(),
      compact: (session) => session.compact(),
      switchTo: (session) => session.switchTo({ window: 2_000 }),
      preview: (session) => session.preview(),
    };
    for (const first of Object.values(ask))
      for (const second of Object.values(ask)) {
        const serial = open(inOnePiece);
        const expected = [await serial.view(), await first(serial), await second(serial)];
        const others: Promise<unknown>[] = [];
        const session = open(
          afterEveryStep((turn) => {
            if (turn === 3) others.push(first(session), second(session));
          }),
        );
        expect([await session.view(), ...(await Promise.all(others))]).toEqual(expected);
        expect(stateOf(session)).toEqual(stateOf(serial));
      }
  });

  it('undo is refused, as while any view is being made', async () => {
    const session = open(afterEveryStep((turn) => turn === 2 && expect(() => session.undo()).toThrow(/has to wait/)));
    await session.view();
    expect(session.undo()).toBeDefined();
  });

  it('an abort reaches it between any two steps, and nothing is decided then', async () => {
    const expected = await open(inOnePiece).view();
    for (const at of some(await turnsOf(), fastOrDeep(12, 10_000))) {
      const abort = new AbortController();
      const loop = afterEveryStep((turn) => turn === at && abort.abort(new Error('enough')));
      const session = open(loop);
      await expect(session.view({ signal: abort.signal })).rejects.toThrow('enough');
      expect(loop.turns).toBe(at);
      expect(session.ledger().entries).toEqual([]);
      expect(await session.view()).toEqual(expected);
    }
  });

  it('somebody who never stops talking does not keep it from ending', async () => {
    const session = open(afterEveryStep((turn) => session.append(user(`And ${turn}.`, `more${turn}`))));
    const { messages, fits } = await session.view();
    expect(fits).toBe(true);
    const said = session.transcript().at(-1)!.id;
    expect(messages.some(({ id }) => id === said)).toBe(true);
    expect(said).toBe('more3');
  });
});

describe('the event loop of a process', () => {
  const newFake = () => {
    const later: (() => void)[] = [];
    let time = 0;
    const loop = newEventLoop(
      (run) => later.push(run),
      () => time,
    );
    return {
      loop,
      pass: (ms: number) => {
        time += ms;
      },
      turn: async () => {
        for (const run of later.splice(0)) run();
        await Promise.resolve();
      },
    };
  };

  it('is due once work has gone on for a while since its last turn, and not again before the next while', async () => {
    const { loop, pass, turn } = newFake();
    expect(loop.isDue()).toBe(false);
    pass(3);
    expect(loop.isDue()).toBe(false);
    pass(20);
    expect(loop.isDue()).toBe(true);
    await turn();
    expect(loop.isDue()).toBe(false);
  });

  it('what waited for others before it was asked is not counted', async () => {
    const { loop, pass, turn } = newFake();
    loop.isDue();
    await turn();
    pass(1_000);
    expect(loop.isDue()).toBe(false);
  });

  it('goes on with one of those that wait at each turn, in their order', async () => {
    const { loop, turn } = newFake();
    const order: number[] = [];
    for (const n of [1, 2, 3]) void loop.turn().then(() => order.push(n));
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      await turn();
      expect(order).toEqual(expected);
    }
  });
});
