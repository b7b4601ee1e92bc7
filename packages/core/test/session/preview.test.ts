import { estimateOnce, fastOrDeep, histories } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  type CompactionPlan,
  call,
  createSession,
  type JournalRecord,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';

const runs = { numRuns: fastOrDeep(100, 2_000) };
const preset = fc.constantFrom(...(Object.keys(presets) as PresetName[]));
const tools = [{ name: 'recall' }];
const form = fc.constantFrom({}, { form: 'all' as const }, { keepMessages: 3 }, { instructions: 'mind the tests' });

/** A request of the user's, then rounds of one read each. */
function work(session: Session, rounds: number): void {
  session.append(user('Find the slow query, and never touch the schema.', 'task'));
  for (let i = 0; i < rounds; i++) {
    session.append(assistant([call(`c${i}`, 'read_file', { path: `src/${i}.ts` })], `a${i}`));
    session.append(results([result(`c${i}`, `line of ${i}: const limit${i} = ${i * 7};\n`.repeat(60))], `r${i}`));
  }
}

function open(options: Partial<SessionOptions> = {}) {
  const records: JournalRecord[] = [];
  const events: SessionEvent[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const session = createSession({ window: 16_000, journal, on: (event) => events.push(event), ...options });
  return { records, events, session };
}

describe('a preview', () => {
  it('comes to what the compaction that follows comes to, whatever the history, the preset and the request', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories(),
        preset,
        form,
        fc.integer({ min: 1_200, max: 12_000 }),
        async (history, name, asked, window) => {
          const session = createSession({
            window,
            maxOutput: 100,
            layers: presets[name](),
            count: estimateOnce,
            tools,
          });
          for (const message of history) session.append(message);
          await session.view();
          const preview = await session.preview(asked);
          const receipt = await session.compact(asked);
          expect(preview.receipt).toEqual(receipt);
          expect(preview.tokensAfter).toBe(session.status().tokens);
          expect(preview.messages).toEqual((await session.view()).messages);
          const refs = preview.items.filter(({ layer }) => layer !== 'tell-recall').map(({ ref }) => ref);
          expect([...refs].sort()).toEqual((receipt?.lines ?? []).flatMap((line) => line.refs).sort());
          for (const { ref, kind } of preview.items)
            if (kind !== 'attachment') expect(session.recall.read(ref).messages.length).toBeGreaterThan(0);
        },
      ),
      runs,
    );
  });

  it('records nothing, tells nobody, asks no model, and changes nothing that comes later', async () => {
    const summarizer = good();
    const [looked, other] = [
      open({ ports: { summarizer }, drafts: false }),
      open({ ports: { summarizer }, drafts: false }),
    ];
    for (const { session } of [looked, other]) work(session, 8);
    await looked.session.saved();
    const before = JSON.stringify([looked.session.ledger(), looked.records, looked.events, looked.session.status()]);
    await looked.session.preview();
    await looked.session.preview({ form: 'all' });
    await looked.session.saved();
    expect(JSON.stringify([looked.session.ledger(), looked.records, looked.events, looked.session.status()])).toBe(
      before,
    );
    expect(summarizer.requests).toEqual([]);
    for (const { session } of [looked, other]) {
      await session.compact();
      await session.view();
    }
    expect(looked.session.ledger()).toEqual(other.session.ledger());
    expect(looked.records).toEqual(other.records);
  });

  it('says of each thing that would go which layer takes it, what it is, how it is read back and what it frees', async () => {
    const { session } = open({ window: 8_000, layers: presets.lean() });
    work(session, 8);
    const { items, layers, tokensBefore, tokensAfter, money } = await session.preview();
    expect(items.find(({ kind }) => kind === 'result') ?? items[0]).toMatchObject({
      layer: expect.any(String),
      ref: expect.stringMatching(/^e\d+$/),
    });
    expect(items.some(({ tool, targets }) => tool === 'read_file' && targets[0]?.startsWith('src/'))).toBe(true);
    const freed = items.reduce((sum, item) => sum + item.tokens, 0);
    expect(freed).toBe(tokensBefore - tokensAfter);
    expect(layers[0]!.tokensBefore).toBe(tokensBefore);
    expect(layers.at(-1)!.tokensAfter).toBe(tokensAfter);
    expect(money.savedPerCall).toBeCloseTo(((tokensBefore - tokensAfter) * 0.3) / 1e6, 9);
  });

  it('says who would be asked: the model, hooks before and behind the summary', async () => {
    const hooks = { before: () => ({}), after: () => ({}) };
    const { session } = open({ ports: { summarizer: good(), hooks }, drafts: false });
    work(session, 8);
    const preview = await session.preview();
    expect([...preview.asks].sort()).toEqual(['hooks', 'summary']);
    expect(preview.receipt?.summary).toMatchObject({ by: 'digest' });
    expect(preview.receipt?.summary?.failure).toBeUndefined();
  });

  it('counts what the host would carry, since that is only a look', async () => {
    const carry = { carry: async () => [{ kind: 'todo' as const, name: 'todo', text: 'finish the index on orders' }] };
    const { session } = open({ ports: { carry } });
    work(session, 8);
    const preview = await session.preview();
    expect(preview.asks).toEqual([]);
    expect(preview.receipt).toEqual(await session.compact());
  });

  it('of a session without messages, or switched off, is refused as the compaction would be', async () => {
    await expect(open().session.preview()).rejects.toMatchObject({ code: 'nothing-to-compact' });
    const { session } = open({ switches: { disabled: true } });
    work(session, 2);
    await expect(session.preview()).rejects.toMatchObject({ code: 'disabled' });
  });
});

describe('a plan', () => {
  it('is done as it was shown, also after it went through JSON', async () => {
    const { session } = open();
    work(session, 8);
    const { plan, receipt, messages } = await session.preview({ form: 'all', now: 1_000 });
    expect(await session.compact({ plan: JSON.parse(JSON.stringify(plan)) as CompactionPlan })).toEqual(receipt);
    expect((await session.view()).messages).toEqual(messages);
  });

  it('asks the model that the preview named', async () => {
    const { session } = open({ ports: { summarizer: good() }, drafts: false });
    work(session, 8);
    const { plan } = await session.preview();
    expect((await session.compact({ plan }))?.summary?.by).toBe('model');
  });

  const changes: Readonly<Record<string, (session: Session) => unknown>> = {
    'a message': (session) => session.append(user('And now?')),
    'a pin': (session) => session.pin('task'),
    'a compaction': (session) => session.compact(),
    'another window': (session) => session.switchTo({ window: 20_000 }),
    'other tools': (session) => session.view({ tools: [{ name: 'bash', description: 'x'.repeat(400) }] }),
    'other layers': (session) => session.switchTo({ window: 16_000, layers: presets.s08() }),
  };
  it.each(Object.entries(changes))('is refused once the session has changed: %s', async (_, change) => {
    const { session } = open();
    work(session, 8);
    await session.view();
    const { plan } = await session.preview();
    await change(session);
    const ledger = session.ledger();
    await expect(session.compact({ plan })).rejects.toMatchObject({ code: 'stale-plan' });
    expect(session.ledger()).toEqual(ledger);
  });

  it('says all that was asked for: nothing else goes with it', async () => {
    const { session } = open();
    work(session, 8);
    const { plan } = await session.preview();
    await expect(session.compact({ plan, form: 'all' })).rejects.toMatchObject({ code: 'bad-option' });
    await expect(session.compact({ plan: {} as CompactionPlan })).rejects.toMatchObject({ code: 'bad-option' });
  });
});
