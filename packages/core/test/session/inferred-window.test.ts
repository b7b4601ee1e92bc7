import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  estimateMessage,
  type JournalRecord,
  type Message,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  switchesFrom,
  text,
  user,
  type View,
} from '../../src/index.ts';
import {
  addRefused,
  addTaken,
  dropDoubted,
  inferWindow,
  noClues,
  testRefused,
  type WindowClues,
} from '../../src/size/window-clues.ts';

const STATED = 200_000;

/** A provider that never says what its window is: it refuses what has no room, and cuts an answer off where there is little. */
const newProvider = (window: number, ratio = 1) => {
  const rooms: number[] = [];
  let refusals = 0;
  return {
    rooms,
    refusals: () => refusals,
    count: (messages: readonly Message[]) =>
      Math.round(messages.reduce((sum, one) => sum + estimateMessage(one), 0) * ratio),
    takes(messages: readonly Message[]): boolean {
      const room = window - this.count(messages);
      if (room <= 0) refusals++;
      else rooms.push(room);
      return room > 0;
    },
  };
};
type Provider = ReturnType<typeof newProvider>;

const started = (options: Partial<SessionOptions> = {}) => {
  const events: SessionEvent[] = [];
  const session = createSession({ window: STATED, maxOutput: 1_000, on: (event) => events.push(event), ...options });
  session.append(user('Look through all of it, and never touch LICENSE.'));
  const inferred = (): readonly number[] =>
    events.flatMap((event) => (event.type === 'window-learned' && event.inferred === true ? [event.window] : []));
  return { session, inferred };
};

const words = (tokens: number): string => 'some words of it '.repeat(Math.ceil(tokens / 4));

/** A view that the provider takes, made smaller as often as it has to be. */
async function send(session: Session, provider: Provider, reports = true): Promise<View> {
  let view = await session.view();
  while (!provider.takes(view.messages)) view = await session.overflowed();
  if (reports) session.observe({ input: provider.count(view.messages), output: 10 });
  return view;
}

/** Rounds of an agent: it is asked, it calls, and gets so many tokens. */
async function work(session: Session, provider: Provider, sizes: readonly number[], reports = true): Promise<void> {
  for (const [i, size] of sizes.entries()) {
    await send(session, provider, reports);
    const id = `c${session.transcript().length}-${i}`;
    session.append(assistant([call(id, 'read', { path: `src/${id}.ts` })]));
    session.append(results([result(id, words(size))]));
  }
}

/** An estimate that is right. */
const asIs = (estimate: number): number => estimate;

const rounds = (count: number, size: number): readonly number[] => Array.from({ length: count }, () => size);

/** A session that was taken up to 9,000 tokens, refused at more, and taken again at less. */
async function refusedOnce(options: Partial<SessionOptions> = {}) {
  const { session, inferred } = started(options);
  const provider = newProvider(10_000);
  while (provider.refusals() === 0) await work(session, provider, [500]);
  return { session, inferred, provider };
}

describe('a window that nobody states', () => {
  // s08 snips by number of messages, and is not refused.
  it.each(['default', 'claude-code', 'open-code'] as const)(
    'is inferred from one refusal: none comes again, and every view leaves room for the answer (%s)',
    async (name) => {
      const { session, inferred } = started({ layers: presets[name]() });
      const provider = newProvider(12_000);
      await work(session, provider, rounds(20, 690));
      expect(provider.refusals()).toBe(1);
      const before = provider.rooms.length;
      await work(session, provider, rounds(80, 690));
      expect(provider.refusals()).toBe(1);
      expect(Math.min(...provider.rooms.slice(before))).toBeGreaterThanOrEqual(1_000);
      expect(inferred()).toHaveLength(1);
      expect(session.status().budget.window).toBe(inferred()[0]);
    },
  );

  it('is found in few refusals, whatever its size, the steps, the count and what is reported', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 8_000, max: 40_000 }),
        fc.array(fc.integer({ min: 10, max: 3_000 }), { minLength: 10, maxLength: 30 }),
        fc.double({ min: 0.75, max: 1.4, noNaN: true }),
        fc.boolean(),
        async (window, sizes, ratio, reports) => {
          const { session } = started({ overflowTries: 3 });
          const provider = newProvider(window, ratio);
          const all = Array.from({ length: 120 }, (_, i) => sizes[i % sizes.length]!);
          await work(session, provider, all, reports);
          expect(provider.refusals()).toBeLessThanOrEqual(3);
          const { refusals, rooms } = { refusals: provider.refusals(), rooms: provider.rooms.length };
          await work(session, provider, all, reports);
          expect(provider.refusals()).toBe(refusals);
          if (refusals > 0) expect(Math.min(...provider.rooms.slice(rooms))).toBeGreaterThanOrEqual(500);
        },
      ),
      { numRuns: fastOrDeep(5, 300) },
    );
  });

  it('what was taken is proven: no view is kept below that, beyond room for the answer', async () => {
    const { session } = await refusedOnce();
    const { window, effective } = session.status().budget;
    expect(window).toBeGreaterThan(9_000);
    expect(window).toBeLessThanOrEqual(10_000);
    expect(effective).toBe(window - 1_000);
  });

  it('where nothing was taken before, it is looked for below what was refused', async () => {
    const { session, inferred } = started();
    session.append(user(words(20_000)));
    session.append(assistant('Read.'));
    session.append(user('And?'));
    const { tokens } = await session.view();
    await session.overflowed();
    session.append(assistant('So it is.'));
    expect(inferred()).toEqual([Math.floor(tokens * 0.75)]);
  });
});

describe('clues of a window', () => {
  it.each([0.65, 0.8, 1.2, 1.4])(
    'what was refused before the first report is counted by that report, not by the estimate (%s times)',
    async (ratio) => {
      const { session, inferred } = started({ overflowTries: 3, system: 'Work.' });
      for (let i = 0; i < 40; i++) {
        session.append(assistant([call(`h${i}`, 'read', { path: `old/${i}.ts` })]));
        session.append(results([result(`h${i}`, words(1_000))]));
      }
      const provider = newProvider(Math.round(36_000 * ratio), ratio);
      await work(session, provider, rounds(1, 100));
      expect(provider.refusals()).toBe(1);
      // Three quarters of what was refused, give or take what a single report cannot tell.
      expect(inferred()[0]! / (41_000 * ratio * 0.75)).toBeGreaterThan(0.85);
      expect(inferred()[0]! / (41_000 * ratio * 0.75)).toBeLessThan(1.2);
    },
  );

  it('what is put to the test stands again where the user speaks before an answer comes', async () => {
    const { session, provider } = await refusedOnce();
    const { window } = session.status().budget;
    session.append(user(words(14_000)));
    await session.view();
    session.append(user('Stop. Rather count the lines.'));
    await send(session, provider);
    session.append(assistant('Counted.'));
    expect(session.status().budget.window).toBe(window);
  });

  it('a refusal just below what was taken is one at the edge; one far below is none', () => {
    const taken = addTaken(noClues, 10_000, asIs);
    expect(inferWindow(STATED, addTaken(addRefused(taken, 9_500, 9_500), 4_000, asIs))).toBe(10_000);
    expect(inferWindow(STATED, addTaken(addRefused(taken, 7_000, 7_000), 4_000, asIs))).toBe(STATED);
  });

  it('never says less than what was taken, nor more than was stated, and a refusal alone says nothing', () => {
    const tokens = fc.integer({ min: 0, max: 300_000 });
    const steps = fc.array(fc.tuple(fc.constantFrom('refused', 'taken', 'dropped', 'tested'), tokens));
    const add = (clues: WindowClues, [what, size]: readonly [string, number]): WindowClues => {
      if (what === 'refused') return addRefused(clues, size, size);
      if (what === 'taken') return addTaken(clues, size, asIs);
      return what === 'dropped' ? dropDoubted(clues) : testRefused(clues, size);
    };
    fc.assert(
      fc.property(steps, tokens, (all, refused) => {
        const clues = all.reduce(add, noClues);
        const window = inferWindow(STATED, clues);
        expect(window).toBeLessThanOrEqual(STATED);
        expect(window).toBeGreaterThanOrEqual(Math.min(STATED, clues.taken));
        expect(inferWindow(STATED, addRefused(clues, refused, refused))).toBe(window);
        // Whatever was shown, a larger request that is taken refutes it.
        expect(inferWindow(STATED, addTaken(clues, 300_001, asIs))).toBe(STATED);
      }),
    );
  });
});

describe('a refusal that was not for the size', () => {
  it('shows nothing where smaller views are refused too: the next message finds the window that was stated', async () => {
    const { session, inferred } = started();
    for (let i = 0; i < 40; i++) session.append(i % 2 === 0 ? assistant(words(4_000)) : user(words(20)));
    await session.view();
    await expect(
      (async () => {
        for (;;) await session.overflowed();
      })(),
    ).rejects.toMatchObject({ code: 'cannot-reduce' });
    session.append(user('Is it mended?'));
    await session.compact();
    await session.view();
    session.append(assistant('It is.'));
    expect(inferred()).toEqual([]);
    expect(session.status().budget.window).toBe(STATED);
  });

  it('shows nothing either where the client tells of the failure in the name of the model: nothing was taken', async () => {
    for (const overflowTries of [1, 3]) {
      const { session, inferred } = started({ overflowTries });
      await work(session, newProvider(STATED), rounds(5, 100));
      session.append(user(words(40_000)));
      await session.view();
      await expect(
        (async () => {
          for (;;) await session.overflowed();
        })(),
      ).rejects.toMatchObject({ code: 'cannot-reduce' });
      session.append(assistant('API Error: 400 input is too long'));
      expect(inferred()).toEqual([]);
      // What was refused is not taken for proven: a real refusal of as much shows something.
      session.append(user('Again.'));
      const { tokens } = await session.view();
      await session.overflowed();
      session.append(assistant('Read.'));
      expect(session.status().budget.window).toBeLessThanOrEqual(Math.max(4_096, tokens));
    }
  });

  it('shows nothing where as much was taken before, or as much is taken the next time', async () => {
    for (const later of [false, true]) {
      const { session, inferred } = started();
      const provider = newProvider(STATED);
      await work(session, provider, rounds(20, 690));
      if (!later) await session.compact();
      await session.view();
      await session.overflowed();
      if (later) session.undo();
      await work(session, provider, rounds(2, 100));
      expect(inferred()).toEqual([]);
      expect(session.status().budget.window).toBe(STATED);
    }
  });

  it('shows nothing where the provider says that its window is what was stated, or more', async () => {
    for (const maximum of [STATED, 2 * STATED]) {
      const { session, inferred } = started();
      await work(session, newProvider(STATED), rounds(20, 690));
      await session.view();
      await session.overflowed({ maximum });
      session.append(assistant('So it is.'));
      expect(inferred()).toEqual([]);
    }
  });

  it('shows nothing where pictures are most of it, or where nobody compacts by himself', async () => {
    const picture = { type: 'media', kind: 'image', mediaType: 'image/png', data: 'A'.repeat(900_000) } as const;
    for (const [parts, options] of [
      [[text('What is this?'), picture], {}],
      [[text('What is this?')], { switches: switchesFrom({ PALIMPSEST_DISABLE_AUTO: '1' }) }],
    ] as const) {
      const { session, inferred } = started(options);
      await work(session, newProvider(STATED), rounds(20, 690));
      session.append(user([...parts]));
      await session.view();
      await session.overflowed();
      session.append(assistant('A picture.'));
      expect(inferred()).toEqual([]);
    }
  });

  it('never makes a window that no model has', async () => {
    const { session } = started();
    for (let i = 0; i < 6; i++) session.append(i % 2 === 0 ? assistant(words(100)) : user(words(100)));
    await session.view();
    await session.overflowed();
    session.append(assistant('Yes.'));
    expect(session.status().budget.window).toBeGreaterThanOrEqual(4_000);
  });
});

describe('what was inferred is given up', () => {
  it.each(['reported', 'answered'])(
    'where a larger view is taken: no paste is cut for a mere guess (%s)',
    async (how) => {
      const { session } = await refusedOnce();
      const paste = words(14_000);
      session.append(user(paste));
      const view = await session.view();
      expect(JSON.stringify(view.messages)).toContain(paste);
      if (how === 'reported') session.observe({ input: view.tokens });
      session.append(assistant('Read.'));
      expect(session.status().budget.window).toBe(STATED);
      session.append(user('Go on.'));
      expect((await session.view()).receipt).toBeUndefined();
    },
  );

  it('not where the larger view is refused too: it was put to the test, and stands', async () => {
    const { session, provider, inferred } = await refusedOnce();
    const { window } = session.status().budget;
    for (let i = 0; i < 5; i++) {
      session.append(user(`Read this, ${i}: ${words(14_000)}`));
      await send(session, provider);
      session.append(assistant('Read.'));
      expect(provider.refusals()).toBe(2);
      expect(session.status().budget.window).toBe(window);
    }
    expect(inferred()).toEqual([window, STATED, window]);
  });

  it('by a larger request than it, where nothing can be hidden; the answer may be as long as ever', async () => {
    const { session } = await refusedOnce();
    const { messages, tokens, maxOutput, fits } = await session.view({ system: words(10_000), tools: [] });
    expect({ maxOutput, fits }).toEqual({ maxOutput: 1_000, fits: false });
    expect(messages.length).toBeGreaterThan(0);
    session.observe({ input: tokens });
    expect(session.status().budget.window).toBe(STATED);
  });

  it('by the undo of what the refusal hid, whose view is sent as it was', async () => {
    const { session } = await refusedOnce();
    session.undo();
    expect(session.status().budget.window).toBe(STATED);
    const { receipt, tokens } = await session.view();
    expect(receipt).toBeUndefined();
    expect(tokens).toBeGreaterThan(9_000);
  });

  it("by the host's word on another model, and by the provider's", async () => {
    const { session } = await refusedOnce();
    await session.switchTo({ window: STATED });
    expect(session.status().budget.window).toBe(STATED);
    for (const maximum of [9_500, 150_000]) {
      const { session: other } = await refusedOnce();
      await other.view();
      await other.overflowed({ maximum });
      expect(other.status().budget.window).toBe(maximum);
    }
  });

  it('by a switch to another model; what was hidden comes back for a larger stated window only, else two models in turn are refused each time', async () => {
    const { session } = started();
    const [small, large] = [newProvider(12_000), newProvider(STATED)];
    for (let i = 0; i < 60; i++) {
      await session.switchTo({ window: STATED });
      await work(session, i % 2 === 0 ? small : large, [690]);
    }
    // As many as without any inference: once for every time that it has grown.
    expect(small.refusals()).toBeLessThanOrEqual(6);
    expect(session.ledger().entries.filter(({ type }) => type === 'revert')).toEqual([]);
  });

  it('by a fork that states its own window; others go on with it, and records know nothing of it', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const { session } = await refusedOnce({ journal });
    const { window } = session.status().budget;
    expect(session.fork().status().budget.window).toBe(window);
    expect(session.fork(undefined, { window: STATED }).status().budget.window).toBe(STATED);
    await session.saved();
    expect(createSession({ window: STATED, records }).status().budget.window).toBe(STATED);
    // A fork's may be refuted too.
    const fork = session.fork();
    fork.append(user(words(14_000)));
    fork.observe({ input: (await fork.view()).tokens });
    expect(fork.status().budget.window).toBe(STATED);
  });
});
