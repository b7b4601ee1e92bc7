import { Agent, type AgentInputItem, MemorySession, Runner, type Session, tool } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { startSim } from '@palimpsest/sim';
import { memoryStore } from '@palimpsest/store';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { palimpsestSession } from '../src/openai-agents.ts';

const WINDOW = 8_000;

/** Reads one file a run, and then tells. */
const startReader = () =>
  startSim({
    window: WINDOW,
    model: ({ messages }) =>
      messages.at(-1)?.parts.some(({ type }) => type === 'result') === true
        ? { text: `Read it. ${'All is well there. '.repeat(20)}` }
        : { calls: [{ name: 'read_file', input: { path: `src/f${messages.length}.ts` } }] },
  });

const runnerOn = (url: string): Runner =>
  new Runner({
    tracingDisabled: true,
    modelProvider: new OpenAIProvider({ apiKey: 'secret', baseURL: `${url}/v1`, useResponses: true }),
    modelSettings: { store: false },
  });

const reader = new Agent({
  name: 'reader',
  model: 'gpt-5.5',
  instructions: 'Read what you are asked for.',
  tools: [
    tool({
      name: 'read_file',
      description: 'reads a file',
      parameters: z.object({ path: z.string() }),
      execute: ({ path }) => Array.from({ length: 60 }, (_, i) => `export const line${i} = '${path} ${i}';`).join('\n'),
    }),
  ],
});

it('a session of the Agents SDK keeps every item, and every run is given what fits', async () => {
  const sim = await startReader();
  const inner = new MemorySession({ sessionId: 's1' });
  const compactions: number[] = [];
  // The vendor's own type takes it.
  const session: Session = palimpsestSession(inner, {
    window: WINDOW,
    instructions: String(reader.instructions),
    on: (event) => {
      if (event.type === 'view-compacted' && event.receipt.declared) compactions.push(event.receipt.walk);
    },
  });
  const runner = runnerOn(sim.url);
  for (let turn = 0; turn < 24; turn++)
    await runner.run(
      reader,
      turn === 0 ? 'Never touch db/migrations. Read the first file.' : `Read the next, ${turn}.`,
      {
        session,
      },
    );
  expect(sim.requests.filter(({ status }) => status !== 200)).toEqual([]);
  expect(compactions.length).toBeGreaterThan(2);
  const all = await inner.getItems();
  expect(all).toHaveLength(24 * 4);
  const shown = await session.getItems();
  expect(JSON.stringify(shown).length).toBeLessThan(JSON.stringify(all).length / 3);
  expect(JSON.stringify(shown)).toContain('Never touch db/migrations.');
  // What stands as it was is the very item.
  const last = all.at(-1) as AgentInputItem;
  expect(shown.at(-1)).toEqual(last);
  expect(await session.getItems(2)).toEqual(all.slice(-2));
  // The SDK leaves out the ids of calls once they are history.
  const prefixes = sim.requests.map(({ body }) =>
    JSON.stringify((body as { input: unknown }).input)
      .slice(0, -1)
      .replace(/"id":"[^"]*",/g, ''),
  );
  const kept = prefixes.filter((one, at) => at > 0 && one.startsWith(prefixes[at - 1] ?? '-'));
  expect(kept.length).toBeGreaterThan(prefixes.length * 0.7);
  await sim.close();
});

it('popItem and clearSession are the inner session’s, and what is shown follows', async () => {
  const inner = new MemorySession();
  const session = palimpsestSession(inner, { window: WINDOW });
  const said = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text });
  await session.addItems([said('one'), said('two')]);
  expect(await session.popItem()).toEqual(said('two'));
  expect(await session.getItems()).toEqual([said('one')]);
  expect(await session.getSessionId()).toBe(await inner.getSessionId());
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
});

it('what was compacted stays so in another process that has the same store', async () => {
  const store = memoryStore();
  const items = Array.from({ length: 40 }, (_, n): AgentInputItem[] => [
    { type: 'message', role: 'user', content: `Request ${n}.` },
    { type: 'function_call', callId: `c${n}`, name: 'read_file', arguments: `{"path":"f${n}"}`, status: 'completed' },
    {
      type: 'function_call_result',
      callId: `c${n}`,
      name: 'read_file',
      status: 'completed',
      output: { type: 'text', text: `line of f${n}\n`.repeat(80) },
    },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: `Answer ${n}.` }],
    },
  ]).flat();
  const open = () =>
    palimpsestSession(new MemorySession({ sessionId: 's', initialItems: items }), { window: WINDOW, store });
  const first = await open().getItems();
  expect(first.length).toBeLessThan(items.length);
  expect(first.filter(({ type }) => type === 'function_call_result')).toMatchObject(
    expect.arrayContaining(
      [{ type: 'function_call_result', name: 'read_file', status: 'completed' }].map((one) =>
        expect.objectContaining(one),
      ),
    ),
  );
  expect(await open().getItems()).toEqual(first);
});

/** Three steps of two results each, which together take this many lines. */
const startWorker = (window: number) =>
  startSim({
    window,
    model: ({ messages }) => {
      const steps = messages.length - 1 - messages.findLastIndex(({ parts }) => parts.some(isQuestion));
      if (steps >= 9) return { text: `Read all of them. ${'All is well there. '.repeat(20)}` };
      const paths = ['a', 'b'].map((name) => `src/${messages.length}-${name}.ts`);
      return { calls: paths.map((path) => ({ name: 'read_file', input: { path } })) };
    },
  });
const isQuestion = (part: { readonly type: string; readonly text?: string }): boolean =>
  part.type === 'text' && part.text?.startsWith('Question') === true;

it.each([
  [16_000, 40, 'a third of the window'],
  [16_000, 48, 'half of the window'],
  [100_000, 300, 'half of a larger window'],
])(
  'leaves room for the run that follows: no request is refused (window %i, %i lines a result, %s)',
  async (window, lines) => {
    const sim = await startWorker(window);
    const worker = new Agent({
      name: 'worker',
      model: 'gpt-5.5',
      instructions: 'Read what you are asked for.',
      tools: [
        tool({
          name: 'read_file',
          description: 'reads a file',
          parameters: z.object({ path: z.string() }),
          execute: ({ path }) =>
            Array.from(
              { length: lines },
              (_, i) => `export const line${i} = '${path}, the value of ${i * 7919}';`,
            ).join('\n'),
        }),
      ],
    });
    const session: Session = palimpsestSession(new MemorySession(), { window });
    const runner = runnerOn(sim.url);
    const sizes: number[] = [];
    for (let run = 0; run < 15; run++) {
      const from = sim.requests.length;
      await runner.run(worker, `Question ${run}: what is in the next six files?`, { session, maxTurns: 20 });
      const inputs = sim.requests.slice(from).map(({ usage }) => usage!.input + usage!.cacheRead + usage!.cacheWrite);
      sizes.push(Math.max(...inputs) - inputs[0]!);
    }
    expect(sim.requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(sim.requests).toHaveLength(15 * 4);
    // The runs are as large as the test says.
    expect(Math.min(...sizes) / window).toBeGreaterThan(0.25);
    await sim.close();
  },
);
