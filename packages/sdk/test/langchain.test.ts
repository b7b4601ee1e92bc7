import { ChatOpenAI } from '@langchain/openai';
import type { Session } from '@palimpsest/core';
import { palimpsest, recallTool } from '@palimpsest/sdk/langchain';
import { program, startSim } from '@palimpsest/sim';
import {
  AIMessage,
  type BaseMessage,
  createAgent,
  createMiddleware,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  tool,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import { langChainMessages } from '../src/langchain/langchain-messages.ts';

const messages: readonly BaseMessage[] = [
  new HumanMessage('Look at this.'),
  new HumanMessage({
    content: [
      { type: 'text', text: 'And at these.', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', mimeType: 'application/pdf', url: 'https://example.test/a.pdf' },
      { type: 'unheard-of', value: 1 },
    ],
  }),
  new AIMessage({
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'text', text: 'I call.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
    ],
    tool_calls: [
      { id: 'c1', name: 'read', args: { path: 'a' }, type: 'tool_call' },
      { id: 'c2', name: 'read', args: { path: 'b' }, type: 'tool_call' },
    ],
    usage_metadata: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
  } as never),
  new ToolMessage({ content: 'of a', tool_call_id: 'c1', name: 'read', artifact: { raw: 1 } }),
  new ToolMessage({ content: [{ type: 'text', text: 'of b' }], tool_call_id: 'c2', status: 'error' }),
  new SystemMessage('The day is over.'),
  new AIMessage('Good night.'),
  new HumanMessage('Good morning.'),
];
const body = { messages, model: 'm' };

describe("LangChain's messages", () => {
  it('what is not changed is handed on as it was, the very object', () => {
    const { messages: read } = langChainMessages.decode(body);
    expect(read).toHaveLength(messages.length);
    expect(langChainMessages.encode(read, body).body).toBe(body);
    const shown = langChainMessages.encode(read.slice(0, -1), body).body.messages;
    for (const [i, message] of shown.entries()) expect(message).toBe(messages[i]);
  });

  it('calls that stand in content and in tool_calls alike are one', () => {
    const { messages: read } = langChainMessages.decode(body);
    expect(read[2]!.parts.map((part) => (part.type === 'call' ? part.callId : part.type))).toEqual([
      'reasoning',
      'text',
      'c1',
      'c2',
    ]);
  });

  it('a result that was cut is a ToolMessage still, with all else it had', () => {
    const { messages: read } = langChainMessages.decode(body);
    const cut = read.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'result' ? { ...part, content: [{ type: 'text' as const, text: 'cut' }] } : part,
      ),
    }));
    const shown = langChainMessages.encode(cut, body).body.messages as BaseMessage[];
    expect(ToolMessage.isInstance(shown[3])).toBe(true);
    expect(shown[3]).toMatchObject({ content: 'cut', tool_call_id: 'c1', name: 'read', artifact: { raw: 1 } });
    expect(shown[4]).toMatchObject({ content: 'cut', tool_call_id: 'c2', status: 'error' });
    expect(shown[2]).toBe(messages[2]);
  });

  it('a shortened call is short wherever it stands, and dropped reasoning is gone', () => {
    const { messages: read } = langChainMessages.decode(body);
    const short = read.map((message) => ({
      ...message,
      parts: message.parts.flatMap((part) =>
        part.type === 'reasoning' ? [] : [part.type === 'call' ? { ...part, input: { path: '…' } } : part],
      ),
    }));
    const shown = langChainMessages.encode(short, body).body.messages as AIMessage[];
    expect(AIMessage.isInstance(shown[2])).toBe(true);
    expect(shown[2]!.tool_calls!.map(({ id, args }) => [id, args])).toEqual([
      ['c1', { path: '…' }],
      ['c2', { path: '…' }],
    ]);
    expect(shown[2]!.content).toEqual([
      { type: 'text', text: 'I call.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: '…' } },
    ]);
    expect(shown[2]!.usage_metadata).toEqual({ input_tokens: 5, output_tokens: 5, total_tokens: 10 });
  });

  it('messages that were made are of the kinds at hand', () => {
    const { messages: read } = langChainMessages.decode(body);
    const made = { id: 'x', role: 'user', origin: 'palimpsest', parts: [{ type: 'text', text: 'In short.' }] } as const;
    const shown = langChainMessages.encode([made, ...read.slice(6)], body).body.messages as BaseMessage[];
    expect(HumanMessage.isInstance(shown[0])).toBe(true);
    expect(shown[0]!.content).toBe('In short.');
    const bare = langChainMessages.encode([made], { messages: [messages[6]!], model: 'm' }).body.messages;
    expect(bare).toEqual([{ role: 'user', content: 'In short.' }]);
  });
});

describe('a LangChain agent', () => {
  const chat = (url: string) =>
    new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'k', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 });

  it('keeps its whole state while the model is shown what fits, and can recall the rest', async () => {
    let session: Session | undefined;
    const recall = recallTool(() => session);
    const sim = await startSim({
      window: 6_000,
      model: program([
        ({ messages: shown }) => ({
          calls: [{ name: 'recall', input: { reference: /recall (e\d+)/.exec(JSON.stringify(shown))?.[1] ?? 'none' } }],
        }),
        ({ messages: shown }) => ({ text: /number is 4711/.test(JSON.stringify(shown)) ? 'Found it.' : 'No.' }),
      ]),
    });
    const agent = createAgent({
      model: chat(sim.url),
      tools: [tool(async (given) => recall.run(given), recall)],
      middleware: [createMiddleware(palimpsest({ window: 6_000, onSession: (one) => (session = one) }))],
    });
    const history = [
      new HumanMessage('Note: the number is 4711.'),
      ...Array.from({ length: 40 }, (_, n) => [
        new AIMessage(`Noted ${n}. `.repeat(60)),
        new HumanMessage(`Go on with ${n}.`),
      ]).flat(),
    ];
    const { messages: state } = await agent.invoke({ messages: history }).finally(() => sim.close());
    expect(state).toHaveLength(84);
    expect(state.at(-1)!.text).toBe('Found it.');
    expect(sim.requests.every(({ status }) => status === 200)).toBe(true);
    expect(session!.status().measured).toBe(true);
  });

  it("shows the provider's own refusal where nothing can be hidden, and other errors as they are", async () => {
    const sim = await startSim({ window: 1_000 });
    const agent = (model: ChatOpenAI, systemPrompt: string) =>
      createAgent({ model, tools: [], systemPrompt, middleware: [createMiddleware(palimpsest({ window: 1_000 }))] });
    const ask = { messages: [new HumanMessage('Hi.')] };
    await expect(agent(chat(sim.url), 'A rule. '.repeat(1_000)).invoke(ask)).rejects.toThrow(/maximum context length/);
    const unknown = new ChatOpenAI({
      model: 'gpt-0',
      apiKey: 'k',
      configuration: { baseURL: `${sim.url}/v1` },
      maxRetries: 0,
    });
    await expect(agent(unknown, 'A rule.').invoke(ask)).rejects.toThrow(/gpt-0/);
    await sim.close();
  });
});
