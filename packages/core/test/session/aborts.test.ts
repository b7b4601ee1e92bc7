import { refusal, virtualClock } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type Ports,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  stashLargeResults,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good, scripted } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const never = (): Promise<never> => new Promise(() => {});
const breathe = (): Promise<void> => new Promise((go) => setImmediate(go));

/** Rejects soon, without any clock, or says that it hangs. */
const soon = (work: Promise<unknown>): Promise<string> =>
  Promise.race([
    work.then(
      () => 'resolved',
      (error: Error) => `rejected ${error.name}`,
    ),
    breathe()
      .then(breathe)
      .then(() => 'HANGS'),
  ]);

const layers = [stashLargeResults(), summarizeHistory(), dropOldestRounds()];

function setUp(ports: Ports, more: Partial<SessionOptions> = {}): Session {
  const session = createSession({
    window: 4_000,
    drafts: false,
    layers,
    ports: { ...ports },
    ...more,
  });
  for (let i = 0; i < 20; i++) {
    session.append(user(`Do ${i}: ${long('this and that', 30)}`));
    session.append(assistant(`Done ${i}: ${long('so and so', 30)}`));
  }
  session.append(user('Now measure.'));
  session.append(assistant(['a', 'b', 'c'].map((id) => call(id, 'mcp__lab__measure'))));
  session.append(results(['a', 'b', 'c'].map((id) => result(id, long(`reading ${id}`, 700)))));
  session.append(user('And what does that tell?'));
  return session;
}

type Told = { asked: number; signal?: AbortSignal | undefined };

/** Ports that never answer, and whether the abort reached them. */
const hanging: Readonly<Record<string, (told: Told) => Ports>> = {
  'hooks.before': (told) => ({ hooks: { before: ({ signal }) => hang(told, signal) } }),
  'hooks.after': (told) => ({ hooks: { after: ({ signal }) => hang(told, signal) } }),
  carry: (told) => ({ carry: { carry: ({ signal }) => hang(told, signal) } }),
  stash: (told) => ({ stash: { put: (_, options) => hang(told, options?.signal), get: never } }),
  summarizer: (told) => ({
    summarizer: { window: 100_000, summarize: (_, { signal }) => hang(told, signal) },
  }),
};

function hang(told: Told, signal: AbortSignal | undefined): Promise<never> {
  told.asked++;
  told.signal = signal;
  return never();
}

async function untilAsked(told: Told): Promise<void> {
  for (let i = 0; i < 50 && told.asked === 0; i++) await breathe();
  expect(told.asked).toBeGreaterThan(0);
}

const state = (session: Session): string => JSON.stringify([session.ledger(), session.transcript()]);

describe('an abort, with ports that never answer and no clock at all', () => {
  for (const [port, make] of Object.entries(hanging))
    it(`${port}: the call rejects at once, the port hears of it, and the next view works`, async () => {
      const told: Told = { asked: 0 };
      const session = setUp(make(told));
      const stop = new AbortController();
      const before = state(session);
      const view = session.view({ signal: stop.signal });
      await untilAsked(told);
      stop.abort();
      expect(await soon(view)).toBe('rejected AbortError');
      expect(told.signal?.aborted).toBe(true);
      // Nothing is half-decided: either nothing at all, or the compaction whose after-hook was being heard.
      if (port === 'hooks.after') expect(session.receipts()).toHaveLength(1);
      else expect(state(session)).toBe(before);
      const asked = told.asked;
      const next = session.view();
      expect(await soon(next)).toBe('resolved');
      const { messages, fits, receipt } = await next;
      expect(refusal(messages, [user('x')])).toBeUndefined();
      expect(fits).toBe(true);
      expect(receipt).toBeDefined();
      expect(told.asked).toBe(asked);
    });

  it('what waits behind a call that hangs can be given up on too, and is not done later', async () => {
    const told: Told = { asked: 0 };
    const session = setUp(hanging.carry!(told));
    const [first, second] = [new AbortController(), new AbortController()];
    const hanged = session.view({ signal: first.signal });
    await untilAsked(told);
    const behind = session.compact({ instructions: 'never asked for', signal: second.signal });
    second.abort();
    expect(await soon(behind)).toBe('rejected AbortError');
    first.abort();
    expect(await soon(hanged)).toBe('rejected AbortError');
    expect(await soon(session.view())).toBe('resolved');
    expect(session.receipts().every(({ trigger }) => trigger === 'auto')).toBe(true);
  });

  it('a call whose signal was aborted before asks nobody and changes nothing', async () => {
    const signal = AbortSignal.abort();
    for (const operate of [
      (session: Session) => session.view({ signal }),
      (session: Session) => session.compact({ signal }),
      (session: Session) => session.overflowed({ maximum: 3_000 }, { signal }),
      (session: Session) => session.switchTo({ window: 3_000, signal }),
    ]) {
      const told: Told = { asked: 0 };
      const session = setUp(hanging['hooks.before']!(told));
      const before = [state(session), JSON.stringify(session.status())];
      expect(await soon(operate(session))).toBe('rejected AbortError');
      expect([state(session), JSON.stringify(session.status())]).toEqual(before);
      expect(told.asked).toBe(0);
    }
  });

  it('an aborted answer to a refusal does not use up the try', async () => {
    const told: Told = { asked: 0 };
    const session = setUp(hanging.carry!(told));
    const stop = new AbortController();
    const smaller = session.overflowed({}, { signal: stop.signal });
    await untilAsked(told);
    stop.abort();
    expect(await soon(smaller)).toBe('rejected AbortError');
    expect(await soon(session.overflowed())).toBe('resolved');
  });

  it('a hook that waits for a view of its own session is late, and no deadlock', async () => {
    const clock = virtualClock();
    const inner: Promise<unknown>[] = [];
    const before = async (): Promise<undefined> => {
      inner.push(session.view());
      await inner[0];
    };
    const session: Session = setUp({ clock, hooks: { before } });
    expect((await clock.run(session.view())).fits).toBe(true);
    expect(clock.now()).toBe(10_000);
    await inner[0];
  });

  it('an AbortError of a port itself is a failure of that port, not of the view', async () => {
    const events: SessionEvent[] = [];
    const carry = async (): Promise<never> => {
      throw new DOMException('my own timeout', 'AbortError');
    };
    const session = setUp({ carry: { carry } }, { on: (event) => events.push(event) });
    expect((await session.view()).fits).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'need-failed', need: 'carry', why: 'my own timeout' }),
    );
  });
});

describe('a draft in the background', () => {
  /** Until a draft is under way. */
  async function draftIn(session: Session, told: Told): Promise<void> {
    for (let i = 0; i < 200 && told.asked === 0; i++) {
      session.append(user(`${i} ${long('this and that', 10)}`));
      session.append(assistant(`${i} ${long('so and so', 10)}`));
      await session.view();
    }
    expect(told.asked).toBe(1);
  }
  const grow = (session: Session): void => {
    for (let i = 0; i < 60; i++) {
      session.append(user(`more ${i} ${long('this and that', 10)}`));
      session.append(assistant(`more ${i} ${long('so and so', 10)}`));
    }
  };

  it('that hangs is stopped with the view that gives up on it: settled() resolves, the next view works', async () => {
    const told: Told = { asked: 0 };
    const session = createSession({ window: 8_000, layers, ports: { ...hanging.summarizer!(told) } });
    await draftIn(session, told);
    grow(session);
    const stop = new AbortController();
    const view = session.view({ signal: stop.signal });
    await breathe();
    stop.abort();
    expect(await soon(view)).toBe('rejected AbortError');
    expect(told.signal?.aborted).toBe(true);
    expect(await soon(session.settled())).toBe('resolved');
    expect(await soon(session.view())).toBe('resolved');
    expect(told.asked).toBe(1);
  });

  it('is stopped by whoever closes the session, and leaves no trace', async () => {
    const told: Told = { asked: 0 };
    const session = createSession({ window: 8_000, layers, ports: { ...hanging.summarizer!(told) } });
    await draftIn(session, told);
    const before = state(session);
    expect(await soon(session.settled({ signal: AbortSignal.abort() }))).toBe('rejected AbortError');
    expect(told.signal?.aborted).toBe(true);
    expect(await soon(session.settled())).toBe('resolved');
    expect(state(session)).toBe(before);
  });

  it('that answers after it was stopped is not heard', async () => {
    let answer = (): void => {};
    const told: Told = { asked: 0 };
    const fine = good();
    const summarizer = scripted((request) => {
      told.asked++;
      return new Promise((resolve) => {
        answer = () => resolve(fine.summarize(request, {}));
      });
    });
    const session = createSession({ window: 8_000, layers, ports: { summarizer } });
    await draftIn(session, told);
    grow(session);
    const stop = new AbortController();
    const view = session.view({ signal: stop.signal });
    await breathe();
    stop.abort();
    await soon(view);
    answer();
    await breathe();
    expect(session.ledger().entries.some((entry) => entry.type === 'draft')).toBe(false);
    // It has answered: it may be asked again.
    expect(await soon(session.view())).toBe('HANGS');
    answer();
    await breathe();
    expect(told.asked).toBe(2);
  });

  it('that fails is told, and after three the session says that it asks no more', async () => {
    const events: SessionEvent[] = [];
    const summarizer = scripted(() => Promise.reject(new Error('out of order')));
    const on = (event: SessionEvent): void => void events.push(event);
    const session = createSession({ window: 40_000, layers, ports: { summarizer }, on });
    for (let i = 0; i < 120 && session.receipts().length === 0; i++) {
      session.append(user(`${i} ${long('this and that', 50)}`));
      session.append(assistant(`${i} ${long('so and so', 50)}`));
      await session.view();
      await session.settled();
    }
    const failures = events.filter((event) => event.type === 'need-failed');
    expect(failures).toHaveLength(3);
    expect(failures[0]).toMatchObject({ need: 'summary', why: 'out of order' });
    expect(events.filter((event) => event.type === 'automatic-stopped')).toHaveLength(1);
  });

  it('is asked of the summarizer that the ports hold now', async () => {
    const [old, now] = [good(), good()];
    const ports: { summarizer: typeof old } = { summarizer: old };
    const session = createSession({ window: 8_000, layers, ports });
    ports.summarizer = now;
    for (let i = 0; i < 200 && now.requests.length === 0; i++) {
      session.append(user(`${i} ${long('this and that', 10)}`));
      session.append(assistant(`${i} ${long('so and so', 10)}`));
      await session.view();
      await session.settled();
    }
    expect(old.requests).toHaveLength(0);
    expect(now.requests.length).toBeGreaterThan(0);
  });
});

describe('a listener that throws', () => {
  it('tears nothing: what was decided is whole, and the error is thrown outside', async () => {
    const thrown: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      const told: string[] = [];
      const session = setUp(
        { carry: { carry: () => Promise.reject(new Error('no')) }, hooks: { before: () => ({ message: 'now' }) } },
        {
          on: ({ type }) => {
            told.push(type);
            throw new Error(`the listener did not like ${type}`);
          },
        },
      );
      const { messages, receipt } = await session.view();
      expect(refusal(messages, [user('x')])).toBeUndefined();
      expect(receipt).toEqual(session.receipts()[0]);
      expect(textOf(messages)).toContain('[Summary of');
      await breathe();
      expect(told).toContain('compaction-ended');
      expect(thrown).toHaveLength(told.length);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    }
  });
});
