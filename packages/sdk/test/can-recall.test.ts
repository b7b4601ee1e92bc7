import { MemorySession } from '@openai/agents-core';
import { HumanMessage } from 'langchain';
import { describe, expect, it } from 'vitest';
import { compactMessages as compactModelMessages, palimpsestMiddleware, palimpsestStep } from '../src/ai-sdk.ts';
import { compactMessages } from '../src/anthropic.ts';
import { createKeptFetch } from '../src/http/kept-fetch.ts';
import { createKeeper } from '../src/keeper.ts';
import { palimpsest } from '../src/langchain.ts';
import { palimpsestSession } from '../src/openai-agents.ts';
import { body, history } from './conversing.ts';

const WINDOW = 8_000;
const READ = { name: 'read', input_schema: { type: 'object' } };
const RECALL = { name: 'recall', input_schema: { type: 'object' } };

const LONG = body(history(30));
const WORDS = Array.from({ length: 40 }, (_, n) => `${n} ${'words that say little '.repeat(40)}`);

/** Every integration with a list of tools, none at all (undefined), and what it sends then. */
const INTEGRATIONS: Readonly<Record<string, (tools: readonly object[] | undefined) => Promise<unknown>>> = {
  async keeper(tools) {
    const keeper = createKeeper({ window: WINDOW });
    return (await keeper.keep({ wire: 'anthropic', body: { ...LONG, ...(tools && { tools }) } }))!.body;
  },
  async fetch(tools) {
    let sent = '';
    const kept = createKeptFetch({ window: WINDOW });
    const request = { url: 'http://localhost/v1/messages', method: 'POST', headers: new Headers() };
    await kept({ ...request, body: JSON.stringify({ ...LONG, ...(tools && { tools }) }) }, async (text) => {
      sent = text;
      return Response.json({ usage: { input_tokens: 10, output_tokens: 1 } });
    });
    return JSON.parse(sent);
  },
  async 'AI SDK'(tools) {
    let sent: unknown;
    const model = {
      modelId: 'm',
      doGenerate: async ({ prompt }: { prompt: unknown }) => {
        sent = prompt;
        return { usage: {}, finishReason: 'stop' };
      },
    };
    const prompt = WORDS.map((text) => ({ role: 'user', content: [{ type: 'text', text }] }));
    const listed = tools?.map((tool) => ({ type: 'function', ...tool }));
    await palimpsestMiddleware({ window: WINDOW }).wrapGenerate({
      params: { prompt, ...(listed && { tools: listed }) },
      model,
    } as never);
    return sent;
  },
};

const tell = async (sent: Promise<unknown>): Promise<string> =>
  JSON.stringify(await sent, (name, value: unknown) => (name === 'tools' ? undefined : value));

describe.each(Object.entries(INTEGRATIONS))('%s', (_, send) => {
  it('a model with a recall among its tools is told to recall', async () => {
    expect(await tell(send([READ, RECALL]))).toMatch(/recall e\d/);
  });

  it.each([
    ['others', [READ]],
    ['none', undefined],
  ] as const)('a model with %s is not, and the references stand there all the same', async (_name, tools) => {
    const told = await tell(send(tools));
    expect(told).not.toMatch(/recall/i);
    expect(told).toMatch(/\(e\d+/);
  });
});

it('LangChain: as the tools of a call are named, and where none are known as before', async () => {
  const messages = WORDS.map((text) => new HumanMessage(text));
  const send = async (more: { tools?: unknown }): Promise<string> => {
    let sent: readonly { content: unknown }[] = [];
    await palimpsest({ window: WINDOW }).wrapModelCall({ messages, model: { model: 'm' }, ...more }, (request) => {
      sent = request.messages;
      return {};
    });
    return JSON.stringify(sent.map(({ content }) => content));
  };
  expect(await send({ tools: [{ name: 'recall' }] })).toMatch(/recall e\d/);
  expect(await send({})).toMatch(/recall e\d/);
  expect(await send({ tools: [{ name: 'read' }] })).not.toMatch(/recall/);
});

it('the Agents SDK: a session that is told no tools may have one that recalls', async () => {
  const send = async (more: { tools?: readonly object[]; canRecall?: boolean }): Promise<string> => {
    const inner = new MemorySession({ sessionId: 's' });
    await inner.addItems(WORDS.map((content) => ({ type: 'message', role: 'user', content })));
    return JSON.stringify(await palimpsestSession(inner, { window: WINDOW, ...more }).getItems());
  };
  expect(await send({})).toMatch(/recall e\d/);
  expect(await send({ tools: [{ type: 'function', name: 'recall' }] })).toMatch(/recall e\d/);
  expect(await send({ tools: [{ type: 'function', name: 'read' }] })).not.toMatch(/recall/);
  expect(await send({ canRecall: false })).not.toMatch(/recall/);
});

it('what is handed messages alone has no session to recall from, whatever tools the model has; a step knows none of them', async () => {
  const { messages } = LONG;
  const compact = (more: object): string =>
    JSON.stringify(compactMessages(messages as never, { window: WINDOW, ...more }));
  for (const more of [{}, { tools: [READ] }, { tools: [RECALL] }]) {
    expect(compact(more)).not.toMatch(/recall/);
    expect(compact(more)).toMatch(/\(e\d/);
  }
  const prompt = WORDS.map((content) => ({ role: 'user', content }));
  expect(JSON.stringify(compactModelMessages(prompt, { window: WINDOW }))).not.toMatch(/recall/);
  const step = await palimpsestStep({ window: WINDOW })({ messages: prompt, model: 'm', steps: [] });
  expect(JSON.stringify(step.messages)).toMatch(/recall e\d/);
});

it('a conversation goes on from the same bytes when a client changes its tools', async () => {
  const keeper = createKeeper({ window: WINDOW });
  const say = async (rounds: number, tools: readonly object[]) => {
    const kept = (await keeper.keep({ wire: 'anthropic', body: { ...body(history(rounds)), tools } }))!;
    return { told: kept.session.receipts().length, messages: (kept.body.messages as readonly unknown[]).map(strip) };
  };
  const strip = (message: unknown): string => JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
  const before = await say(30, [READ]);
  const after = await say(30, [READ, RECALL]);
  expect(after.told).toBe(before.told);
  expect(after.messages).toEqual(before.messages);
  expect(before.messages.join()).not.toMatch(/recall/);
});
