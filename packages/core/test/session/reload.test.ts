import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  reasoning,
  result,
  results,
  type Session,
  type SessionOptions,
  text,
  user,
} from '../../src/index.ts';

const wires = {
  bound: { reasoning: 'bound', nativeEditing: false },
  free: { reasoning: 'free', nativeEditing: false },
} as const;

/** What may happen to a session between two looks at it. */
const step = fc.record({
  type: fc.constantFrom(
    'round',
    'round',
    'round',
    'words',
    'view',
    'compact',
    'undo',
    'switch',
    'pin',
    'usage',
    'overflow',
  ),
  n: fc.nat(10_000),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A session whose records are at hand, and what a host has to state again when it opens them. */
function newLive() {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const ports = { hooks: { after: async () => ({ context: 'The host has this to add.' }) } };
  const stated: Pick<SessionOptions, 'window' | 'wire'> = { window: 2_000, wire: wires.bound };
  const options = { maxOutput: 100, ports, overflowTries: 3, drafts: false } as const;
  const session = createSession({ ...options, ...stated, journal });
  return {
    session,
    state: (now: Partial<typeof stated>) => void Object.assign(stated, now),
    /** Whether refusals have shown that the window is smaller: then the host states that one when it comes back. */
    isInferred: () => session.status().budget.window !== stated.window,
    async reopen(): Promise<Session> {
      await session.saved();
      const { window } = session.status().budget;
      return createSession({ ...options, ...stated, window, records: JSON.parse(JSON.stringify(records)) });
    },
  };
}

const attempt = async <Result>(work: () => Promise<Result> | Result): Promise<Result | string> => {
  try {
    return await work();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
};

/** Does the same to any session; what it answers is compared. */
async function take(session: Session, { type, n }: Step, place: number): Promise<unknown> {
  const at = 1_000_000 + place * 40_000 + (n % 3) * 400_000;
  switch (type) {
    case 'round':
      if (n % 3 > 0) await session.view();
      session.append(assistant([reasoning(n % 2 === 0 ? '' : 'Hm.', `s${place}`), call(`c${place}`, 'bash', { n })]));
      session.append({ ...results([result(`c${place}`, 'some line of it\n'.repeat(n % 90))]), at });
      return undefined;
    case 'words':
      session.append({ ...user(`Please ${'do this and that '.repeat(1 + (n % 40))}`), at });
      session.append(assistant([text(`Done. ${'So and so. '.repeat(n % 30)}`)]));
      return undefined;
    case 'view':
      return session.view(n % 4 === 0 ? { now: at + 700_000 } : {});
    case 'compact':
      return session.compact(n % 4 === 0 ? { now: at } : {});
    case 'undo':
      return attempt(() => session.undo());
    case 'switch':
      return session.switchTo({ window: windowOf(n), wire: wireOf(n) });
    case 'pin': {
      const ids = session.transcript().map(({ id }) => id);
      if (ids.length > 0) session.pin(ids[n % ids.length]!);
      return undefined;
    }
    case 'usage':
      session.observe({ input: Math.round(session.status().tokens * (0.8 + (n % 5) / 10)) });
      return undefined;
    case 'overflow':
      return attempt(() => session.overflowed());
  }
}
const windowOf = (n: number): number => [1_500, 2_000, 2_100, 8_000, 40_000][n % 5]!;
const wireOf = (n: number) => (n % 7 === 0 ? wires.free : wires.bound);

const look = (session: Session) => ({
  status: session.status(),
  receipts: session.receipts(),
  ledger: session.ledger(),
  transcript: session.transcript(),
});

describe('a session made of the records of another', () => {
  it('is paused where that one is, has its receipts, and shows and does the same from there on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), fc.nat(3), async (steps, when) => {
        const { session: live, state, isInferred, reopen } = newLive();
        live.append(user('Go.'));
        let again: Session | undefined;
        for (const [place, one] of steps.entries()) {
          if (one.type === 'switch') state({ window: windowOf(one.n), wire: wireOf(one.n) });
          // Refusals in a row are counted by the process that got them, and so is what they have shown of the window.
          if (one.type === 'overflow' || isInferred()) again = undefined;
          const answer = await take(live, one, place);
          if (isInferred()) again = undefined;
          if (again !== undefined) expect(JSON.stringify(await take(again, one, place))).toBe(JSON.stringify(answer));
          if (again === undefined || (place + when) % 4 === 0) again = await reopen();
          expect(JSON.stringify(look(again))).toBe(JSON.stringify(look(live)));
        }
        expect(JSON.stringify(await again?.view())).toBe(JSON.stringify(await live.view()));
      }),
      { numRuns: fastOrDeep(80, 2_000) },
    );
  });
});
