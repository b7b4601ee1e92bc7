import { createSession, type JournalRecord, type Message, type Session, user } from '@palimpsest/core';
import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../src/index.ts';

/** A block as the provider writes it. */
type Block = Readonly<Record<string, unknown>>;

const template = { model: 'claude-opus-5-5', messages: [] };
const bound = { reasoning: 'bound', nativeEditing: false } as const;
const free = { reasoning: 'free', nativeEditing: false } as const;

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value;

/** A request as the server reads it: one block after the other, each with its role. */
const flatten = (messages: readonly Message[]): readonly string[] =>
  anthropicMessages
    .encode(messages, template)
    .body.messages.flatMap((message: { role: string; content?: unknown }) =>
      (message.content as readonly Block[]).map((block) => `${message.role} ${JSON.stringify(sorted(block))}`),
    );

const signatureIn = (block: string): string | undefined => /"(?:signature|data)":"(sig\d+)"/.exec(block)?.[1];

/** What a provider may answer, from plain to odd. `next` numbers the signatures. */
const answers: Readonly<Record<string, (next: () => string, call: string) => readonly Block[]>> = {
  plain: (next) => [thinking(next, 'Some thought.'), said('It is done.')],
  call: (next, id) => [thinking(next, 'Some thought.'), said('Let me look.'), toolUse(id)],
  omitted: (next, id) => [thinking(next, ''), toolUse(id)],
  redacted: (next, id) => [{ type: 'redacted_thinking', data: next() }, said('Let me look.'), toolUse(id)],
  interleaved: (next, id) => [thinking(next, 'One.'), said('First.'), thinking(next, ''), said('Then.'), toolUse(id)],
  only: (next) => [thinking(next, 'A thought that was cut off')],
  trailing: (next) => [said('Words first. '), thinking(next, 'A thought at the end')],
  none: (_, id) => [said('Without a thought.'), toolUse(id)],
};
const thinking = (next: () => string, value: string): Block => ({
  type: 'thinking',
  thinking: value,
  signature: next(),
});
const said = (value: string): Block => ({ type: 'text', text: value });
const toolUse = (id: string): Block => ({ type: 'tool_use', id, name: 'read_file', input: { path: `${id}.ts` } });

/** A host with one session, and a provider that remembers behind which blocks it made each thought. */
function newRun() {
  const records: JournalRecord[] = [];
  const journal = {
    append: async (more: readonly JournalRecord[]) => void records.push(...more),
    close: async () => {},
  };
  const madeBehind = new Map<string, string>();
  const run = {
    window: 3_000,
    wire: bound as typeof bound | typeof free,
    session: undefined as unknown as Session,
    sent: [] as readonly string[],
    shown: [] as readonly Message[],
    signatures: 0,
    calls: 0,
    records,
    open(kept: readonly JournalRecord[]) {
      records.splice(0, records.length, ...kept);
      const copy = JSON.parse(JSON.stringify(kept)) as JournalRecord[];
      run.session = createSession({
        window: run.window,
        wire: run.wire,
        overflowTries: 3,
        broken: 'mend',
        journal,
        records: copy,
      });
    },
    send(messages: readonly Message[]) {
      run.shown = messages;
      run.sent = flatten(messages);
      if (run.wire === free) return;
      for (const [at, block] of run.sent.entries()) {
        const signature = signatureIn(block);
        if (signature !== undefined) expect(run.sent.slice(0, at).join('\n')).toBe(madeBehind.get(signature));
      }
    },
    async view() {
      run.send((await run.session.view()).messages);
    },
    /** The provider's answer to what was sent last, in one message or in two. */
    answer(kind: string, split: boolean): readonly string[] {
      const call = `c${run.calls++}`;
      const blocks = answers[kind]!(() => `sig${run.signatures++}`, call);
      const written = blocks.map((block) => `assistant ${JSON.stringify(sorted(block))}`);
      for (const [at, block] of written.entries()) {
        const signature = signatureIn(block);
        if (signature !== undefined) madeBehind.set(signature, [...run.sent, ...written.slice(0, at)].join('\n'));
      }
      const cut = split ? 1 : blocks.length;
      return [blocks.slice(0, cut), blocks.slice(cut)].flatMap((content) => {
        if (content.length === 0) return [];
        const { messages } = anthropicMessages.decode({ ...template, messages: [{ role: 'assistant', content }] });
        return messages.map(({ role, origin, parts }) => run.session.append({ role, origin, parts }));
      });
    },
    result(lines: number) {
      const open = run.session
        .transcript()
        .at(-1)
        ?.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
      for (const callId of open ?? [])
        run.session.append({
          role: 'user',
          parts: [{ type: 'result', callId, content: [{ type: 'text', text: 'line of it\n'.repeat(lines) }] }],
        });
    },
  };
  run.open([]);
  return run;
}

const meantime = fc.constantFrom('nothing', 'nothing', 'nothing', 'user', 'compact', 'undo', 'pin', 'reload', 'split');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('turn' as const),
      kind: fc.constantFrom(...Object.keys(answers)),
      meantime,
      words: fc.integer({ min: 1, max: 40 }),
      lines: fc.integer({ min: 1, max: 60 }),
      rests: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('compact', 'undo', 'pin', 'reload', 'torn', 'overflow', 'answer', 'view'),
      at: fc.nat(1_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('switch' as const),
      window: fc.constantFrom(2_500, 3_000, 6_000, 30_000),
      wire: fc.constantFrom(bound, bound, free),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function change(run: ReturnType<typeof newRun>, type: string, at: number): Promise<void> {
  const { session } = run;
  if (type === 'compact' && session.transcript().length > 0) await session.compact();
  if (type === 'user') session.append(user('And mind this too.'));
  if (type === 'undo' && session.receipts().length > 0)
    try {
      session.undo();
    } catch (error) {
      expect(error).toMatchObject({ code: 'nothing-to-undo' });
    }
  const ids = session.transcript().map(({ id }) => id);
  if (type === 'pin' && ids.length > 0) session.pin(ids[at % ids.length]!);
  if (type !== 'reload' && type !== 'torn') return;
  await session.saved();
  // A torn write ends anywhere behind what was in the journal for longest.
  run.open(type === 'reload' ? run.records.slice() : run.records.slice(0, Math.max(1, run.records.length - (at % 9))));
}

async function take(run: ReturnType<typeof newRun>, one: Step): Promise<void> {
  if (one.type === 'turn') {
    run.session.append(user(`Please ${'do this and that '.repeat(one.words)}`));
    if (one.rests) await run.view();
    await run.view();
    await change(run, one.meantime, one.words);
    run.answer(one.kind, one.meantime === 'split');
    run.result(one.lines);
  } else if (one.type === 'switch') {
    Object.assign(run, { window: one.window, wire: one.wire });
    run.send((await run.session.switchTo({ window: one.window, wire: one.wire })).messages);
  } else if (one.type === 'answer') {
    // The model goes on without a word of the user.
    if (run.session.transcript().length === 0) return;
    await run.view();
    run.answer('plain', one.at % 2 === 0);
  } else if (one.type === 'overflow') {
    const smaller = await run.session.overflowed().catch(() => undefined);
    if (smaller !== undefined) run.send(smaller.messages);
  } else await change(run, one.type, one.at);
  if (run.session.transcript().length > 0) await run.view();
}

/** What the newest view does not show of a message that it shows, by the signatures in it. */
function findHiddenThoughts({ session, shown }: ReturnType<typeof newRun>): readonly (readonly [string, string])[] {
  const visible = new Set(flatten(shown).map(signatureIn));
  const ids = new Set(shown.map(({ id }) => id));
  return session.transcript().flatMap(({ id, parts }) =>
    parts.flatMap((part) => {
      const signature = part.type === 'reasoning' ? part.signature : undefined;
      return signature === undefined || visible.has(signature) || !ids.has(id) ? [] : [[id, signature] as const];
    }),
  );
}

describe('where the provider binds thinking to its prefix', () => {
  it('a thought is sent only behind the very blocks it was made behind, whatever a session goes through', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const run = newRun();
        for (const one of steps) await take(run, one);
        const told = run.session.receipts().flatMap(({ lines }) => lines.flatMap(({ refs }) => refs));
        const recalled = new Set(told.flatMap((ref) => run.session.recall.read(ref).messages.map(({ id }) => id)));
        for (const [id, signature] of findHiddenThoughts(run)) {
          expect(JSON.stringify(run.session.recall.read(id).messages)).toContain(signature);
          // Trailing thoughts the wire itself leaves out; all others a receipt tells of.
          const { parts } = run.session.transcript().find((message) => message.id === id)!;
          if (parts.at(-1)?.type !== 'reasoning') expect(recalled).toContain(id);
        }
      }),
      { numRuns: fastOrDeep(60, 3_000) },
    );
  });
});
