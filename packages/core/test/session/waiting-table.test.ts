import { refusal, type VirtualClock, virtualClock } from '@palimpsest/testing';
import { afterAll, describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type Journal,
  type Ports,
  result,
  results,
  type Session,
  type SessionEvent,
  stashLargeResults,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { long } from '../texts.ts';

/** How a port fails. `aborts`: it hangs, and the caller gives up. `late`: it answers when nobody waits any more. */
const modes = ['never', 'throws', 'rejects', 'aborts', 'late', 'garbage'] as const;
type Mode = (typeof modes)[number];

/** A port's answers while it is broken. */
interface Fault {
  readonly mode: Mode;
  readonly clock: VirtualClock;
  readonly garbage: unknown;
  isBroken: boolean;
  calls: number;
  /** Lets what hangs answer in the end. */
  release: () => void;
}

/** Longer than every deadline. */
const LATE_MS = 600_000;

function answer<Answer>(fault: Fault, well: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
  if (!fault.isBroken) return well();
  fault.calls++;
  switch (fault.mode) {
    case 'throws':
      throw new Error('no');
    case 'rejects':
      return Promise.reject(new Error('no'));
    case 'late':
      return fault.clock.wait(LATE_MS).then(well);
    case 'garbage':
      return fault.garbage as Answer;
    default:
      return new Promise((resolve) => {
        fault.release = () => resolve(well());
      });
  }
}

type Hosted = { readonly ports: Ports; readonly journal?: Journal };

/** Each port in a form that fails as told, and what it answers where it answers nonsense. */
const hosts: Readonly<Record<string, { readonly garbage: readonly unknown[]; make(fault: Fault): Hosted }>> = {
  'hooks.before': {
    garbage: [42, 'yes', [], { instructions: 7 }, { veto: {} }],
    make: (fault) => ({ ports: { hooks: { before: () => answer(fault, () => ({ instructions: 'mind it' })) } } }),
  },
  'hooks.after': {
    garbage: [42, 'yes', { context: [1] }],
    make: (fault) => ({ ports: { hooks: { after: () => answer(fault, () => ({ context: 'all is green' })) } } }),
  },
  carry: {
    garbage: [undefined, 'x', [{}], [{ kind: 'file', name: 'a', text: 7 }]],
    make: (fault) => ({
      ports: {
        carry: {
          carry: () =>
            answer(fault, () => [{ kind: 'todo', name: 'todo', text: '1. paint' } as const]) as Promise<never[]>,
        },
      },
    }),
  },
  stash: {
    garbage: [undefined, '', 7, {}],
    make: (fault) => ({
      ports: {
        stash: { put: () => answer(fault, () => 'saved') as Promise<string>, get: async () => undefined },
      },
    }),
  },
  summarizer: {
    garbage: [undefined, null, 'text', { text: 5 }, { text: 'x', stop: 9, usage: { input: 'many' } }],
    make: (fault) => ({
      ports: {
        summarizer: {
          window: 100_000,
          summarize: (request) => answer(fault, () => good().summarize(request, {})) as ReturnType<typeof summarize>,
        },
      },
    }),
  },
  journal: {
    garbage: [42],
    make: (fault) => ({
      ports: {},
      journal: { append: () => answer(fault, () => undefined) as Promise<void>, close: async () => {} },
    }),
  },
};
const { summarize } = good();

const operations: Readonly<Record<string, (session: Session, signal: AbortSignal | undefined) => Promise<unknown>>> = {
  view: (session, signal) => session.view({ signal }),
  compact: (session, signal) => session.compact({ signal }),
  overflowed: (session, signal) => session.overflowed({}, { signal }),
  switchTo: (session, signal) => session.switchTo({ window: 4_000, signal }),
};

/** Over the trigger of a window of 4,000, with fresh results that are larger than one message may be. */
function fill(session: Session): void {
  for (let i = 0; i < 20; i++) {
    session.append(user(`Do ${i}: ${long('this and that', 30)}`));
    session.append(assistant(`Done ${i}: ${long('so and so', 30)}`));
  }
  session.append(user('Now measure.'));
  session.append(assistant(['a', 'b', 'c'].map((id) => call(id, 'mcp__lab__measure'))));
  session.append(results(['a', 'b', 'c'].map((id) => result(id, long(`reading ${id}`, 700)))));
  session.append(user('And what does that tell?'));
}

type Outcome = 'made' | 'journal-failed' | 'aborted' | 'HANGS' | `threw ${string}`;

const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (): Outcome => 'made',
    (error: { name?: string; code?: string; message?: string }): Outcome =>
      error.name === 'AbortError'
        ? 'aborted'
        : error.code === 'journal-failed'
          ? 'journal-failed'
          : `threw ${error.code ?? error.message}`,
  );

const breathe = (): Promise<void> => new Promise((go) => setImmediate(go));

/** Aborts once the port was asked; no virtual time may pass before the call rejects. */
async function abortWhileAsked(start: (signal: AbortSignal) => Promise<unknown>, fault: Fault): Promise<Outcome> {
  const stop = new AbortController();
  const outcome = outcomeOf(start(stop.signal));
  for (let i = 0; i < 50 && fault.calls === 0; i++) await breathe();
  stop.abort();
  return Promise.race([
    outcome,
    breathe()
      .then(breathe)
      .then((): Outcome => 'HANGS'),
  ]);
}

/** What every call comes to, whatever the operation. */
function expectedOutcome(port: string, mode: Mode, wasAsked: boolean): Outcome {
  if (mode === 'aborts') return 'aborted';
  return port === 'journal' && mode !== 'garbage' && wasAsked ? 'journal-failed' : 'made';
}

const codes: Partial<Record<Mode, string>> = {
  never: 'timed-out',
  late: 'timed-out',
  throws: 'failed',
  rejects: 'failed',
};

function checkEvents(events: readonly SessionEvent[], port: string, mode: Mode, asked: boolean): void {
  const count = (type: SessionEvent['type']): number => events.filter((event) => event.type === type).length;
  expect(count('compaction-ended')).toBe(count('compaction-started'));
  const failures = events.flatMap((event) => (event.type === 'need-failed' ? [event] : []));
  if (port === 'journal' || mode === 'aborts' || !asked) expect(failures).toEqual([]);
  else expect(failures.length).toBeGreaterThan(0);
  // A port that owes an answer is not asked again in the same walk either.
  if (codes[mode] !== undefined)
    for (const [i, { code }] of failures.entries()) expect([codes[mode], i > 0 ? 'busy' : '']).toContain(code);
}

/** What a port said of its costs is figures in the ledger, whatever it said. */
function checkFigures(session: Session): void {
  for (const entry of session.ledger().entries)
    if (entry.type === 'fact' && 'usage' in entry.fact)
      for (const figure of Object.values(entry.fact.usage ?? {})) expect(typeof figure).toBe('number');
}

const reached = new Map<string, number>();

describe('a port that fails: a typed outcome, no hang, a valid view afterwards', () => {
  for (const [port, host] of Object.entries(hosts))
    for (const mode of modes)
      for (const [name, operate] of Object.entries(operations))
        it(`${port} ${mode}, during ${name}`, async () => {
          for (const garbage of mode === 'garbage' ? host.garbage : [undefined]) {
            const clock = virtualClock();
            const fault: Fault = { mode, clock, garbage, isBroken: true, calls: 0, release: () => {} };
            const events: SessionEvent[] = [];
            const { ports, journal } = host.make(fault);
            const session = createSession({
              window: name === 'switchTo' ? 60_000 : 4_000,
              drafts: false,
              layers: [stashLargeResults(), summarizeHistory(), dropOldestRounds()],
              ports: { ...ports, clock },
              on: (event) => events.push(event),
              ...(journal === undefined ? {} : { journal }),
            });
            fill(session);
            const said = JSON.stringify(session.transcript());
            const start = (signal?: AbortSignal): Promise<unknown> => operate(session, signal);
            const outcome = await (mode === 'aborts' ? abortWhileAsked(start, fault) : clock.run(outcomeOf(start())));
            if (fault.calls > 0) reached.set(port, (reached.get(port) ?? 0) + 1);
            expect(outcome).toBe(expectedOutcome(port, mode, fault.calls > 0));
            checkEvents(events, port, mode, fault.calls > 0);

            // What was given up on may hang on or answer in the end: views go on either way.
            if (port !== 'journal') {
              const { messages, fits } = await clock.run(session.view());
              expect(refusal(messages, [user('x')])).toBeUndefined();
              expect(fits).toBe(true);
            }
            fault.isBroken = false;
            fault.release();
            await clock.advance(LATE_MS);
            const { messages, fits } = await clock.run(session.view());
            expect(refusal(messages, [user('x')])).toBeUndefined();
            expect(fits).toBe(true);
            await session.saved();
            expect(JSON.stringify(session.transcript())).toBe(said);
            checkFigures(session);
          }
        });

  afterAll(() => {
    for (const port of Object.keys(hosts)) expect(reached.get(port) ?? 0).toBeGreaterThanOrEqual(12);
  });
});
