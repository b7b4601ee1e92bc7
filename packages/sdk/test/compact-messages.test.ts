import type Anthropic from '@anthropic-ai/sdk';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { estimateMessage, type Layer, presets } from '@palimpsest/core';
import { anthropicMessages, openaiChat, openaiResponses } from '@palimpsest/wire';
import { type ModelMessage, modelMessageSchema } from 'ai';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { aiSdkPrompt } from '../src/ai-sdk/ai-sdk-prompt.ts';
import { compactMessages as compactModelMessages } from '../src/ai-sdk.ts';
import { compactMessages as compactAnthropic } from '../src/anthropic.ts';
import type { CompactMessagesOptions } from '../src/compact-messages.ts';
import { langChainMessages } from '../src/langchain/langchain-messages.ts';
import { compactMessages as compactLangChain } from '../src/langchain.ts';
import { compactMessages as compactChat, compactItems } from '../src/openai.ts';

const RULE = 'Never touch the vault, whatever happens.';
const TASK = `Look through every file. ${RULE}`;
const WINDOW = 8_000;

/** One round of a conversation in any form: the model reads a file, is told what is in it, and says so. */
interface Round {
  readonly id: string;
  readonly path: string;
  readonly found: string;
  readonly said: string;
}

const rounds = (count: number): readonly Round[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `call_${i}`,
    path: `src/file-${i}.ts`,
    found: `export const size${i} = ${i * 7};\n${'// a line of no great weight\n'.repeat(20)}`,
    said: `File ${i} holds size${i}.`,
  }));

/** A form of messages: how a conversation looks in it, what makes it smaller, what reads it, and what is wrong with it. */
interface Form {
  readonly name: string;
  readonly history: (count: number) => readonly object[];
  readonly compact: (messages: readonly object[], options: CompactMessagesOptions) => object[];
  readonly tokens: (messages: readonly object[]) => number;
  readonly faults: (messages: readonly object[]) => readonly unknown[];
}

const sum = (decoded: { readonly messages: readonly Parameters<typeof estimateMessage>[0][] }): number =>
  decoded.messages.reduce((all, message) => all + estimateMessage(message), 0);

const anthropicHistory = (count: number): Anthropic.MessageParam[] => [
  { role: 'user', content: TASK },
  ...rounds(count).flatMap(({ id, path, found, said }): Anthropic.MessageParam[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: found }] },
    { role: 'assistant', content: said },
    { role: 'user', content: 'and the next?' },
  ]),
];

const chatHistory = (count: number): OpenAI.ChatCompletionMessageParam[] => [
  { role: 'system', content: 'You are careful.' },
  { role: 'user', content: TASK },
  ...rounds(count).flatMap(({ id, path, found, said }): OpenAI.ChatCompletionMessageParam[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: found },
    { role: 'assistant', content: said },
    { role: 'user', content: 'and the next?' },
  ]),
];

const items = (count: number): OpenAI.Responses.ResponseInputItem[] => [
  { role: 'user', content: TASK },
  ...rounds(count).flatMap(({ id, path, found, said }): OpenAI.Responses.ResponseInputItem[] => [
    { type: 'function_call', call_id: id, name: 'read', arguments: JSON.stringify({ path }) },
    { type: 'function_call_output', call_id: id, output: found },
    { role: 'assistant', content: said },
    { role: 'user', content: 'and the next?' },
  ]),
];

const modelMessages = (count: number): ModelMessage[] => [
  { role: 'user', content: TASK },
  ...rounds(count).flatMap(({ id, path, found, said }): ModelMessage[] => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: found } }],
    },
    { role: 'assistant', content: said },
    { role: 'user', content: 'and the next?' },
  ]),
];

const langChain = (count: number): BaseMessage[] => [
  new HumanMessage(TASK),
  ...rounds(count).flatMap(({ id, path, found, said }): BaseMessage[] => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: { path }, type: 'tool_call' }] }),
    new ToolMessage({ content: found, tool_call_id: id, name: 'read' }),
    new AIMessage(said),
    new HumanMessage('and the next?'),
  ]),
];

const model = '';
const forms: readonly Form[] = [
  {
    name: 'Anthropic',
    history: anthropicHistory,
    compact: (messages, options) => compactAnthropic(messages as Anthropic.MessageParam[], options),
    tokens: (messages) => sum(anthropicMessages.decode({ messages: messages as never })),
    faults: (messages) => anthropicMessages.validate({ model, max_tokens: 100, messages } as never),
  },
  {
    name: 'OpenAI chat',
    history: chatHistory,
    compact: (messages, options) => compactChat(messages as OpenAI.ChatCompletionMessageParam[], options),
    tokens: (messages) => sum(openaiChat.decode({ messages: messages as never })),
    faults: (messages) => openaiChat.validate({ model: 'gpt', messages } as never),
  },
  {
    name: 'OpenAI Responses',
    history: items,
    compact: (messages, options) => compactItems(messages as OpenAI.Responses.ResponseInputItem[], options),
    tokens: (messages) => sum(openaiResponses.decode({ input: messages } as never)),
    faults: (messages) => openaiResponses.validate({ model: 'gpt', input: messages } as never),
  },
  {
    name: 'AI SDK',
    history: modelMessages,
    compact: (messages, options) => compactModelMessages(messages as ModelMessage[], options),
    tokens: (messages) => sum(aiSdkPrompt.decode({ prompt: messages, model })),
    faults: (messages) => messages.filter((message) => !modelMessageSchema.safeParse(message).success),
  },
  {
    name: 'LangChain',
    history: langChain,
    compact: (messages, options) => compactLangChain(messages as BaseMessage[], options),
    tokens: (messages) => sum(langChainMessages.decode({ messages, model })),
    faults: (messages) =>
      messages.filter(
        (message) =>
          !(message instanceof HumanMessage || message instanceof AIMessage || message instanceof ToolMessage),
      ),
  },
];

describe.each(forms)('compactMessages: $name', ({ history, compact, tokens, faults }) => {
  it('what fits comes back as the very messages it was', () => {
    const messages = history(3);
    const kept = compact(messages, { window: WINDOW });
    expect(kept).not.toBe(messages);
    expect(kept).toHaveLength(messages.length);
    for (const [i, message] of messages.entries()) expect(kept[i]).toBe(message);
  });

  it('what does not fit is brought below the window, valid, with the rule and the newest request word for word', () => {
    const messages = history(120);
    const before = JSON.stringify(messages);
    expect(tokens(messages)).toBeGreaterThan(WINDOW * 2);
    const kept = compact(messages, { window: WINDOW });
    expect(tokens(kept)).toBeLessThan(WINDOW);
    expect(tokens(kept)).toBeGreaterThan(WINDOW / 10);
    expect(faults(kept)).toEqual([]);
    expect(JSON.stringify(kept)).toContain(RULE);
    expect(JSON.stringify(kept.at(-1))).toContain('and the next?');
    expect(JSON.stringify(messages)).toBe(before);
    expect(JSON.stringify(compact(messages, { window: WINDOW }))).toBe(JSON.stringify(kept));
  });

  it('as a conversation grows, what was sent stands at the start of what is sent next, but where a compaction is due', () => {
    const messages = history(60);
    const lists = Array.from({ length: 60 }, (_, i) =>
      compact(messages.slice(0, messages.length - (59 - i) * 4), { window: WINDOW }).map((one) => JSON.stringify(one)),
    );
    const broken = lists.filter((list, i) => i > 0 && lists[i - 1]!.some((message, at) => list[at] !== message));
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.length).toBeLessThan(8);
  });

  it('system prompt and tools that leave no room are an error that says so', () => {
    const stated = { window: WINDOW, system: 'You are careful. '.repeat(4_000) };
    expect(() => compact(history(3), stated)).toThrow(expect.objectContaining({ code: 'cannot-reduce' }));
    expect(() => compact(history(3), {} as never)).toThrow(expect.objectContaining({ code: 'window-unknown' }));
  });

  it('nothing is nothing', () => {
    expect(compact([], { window: WINDOW })).toEqual([]);
  });
});

it('plans as often as compactions are due: twice as often in twice the conversation', () => {
  const countPlans = (count: number): number => {
    let plans = 0;
    const counting: Layer = {
      name: 'counting',
      decide: () => {
        plans++;
        return { edits: [] };
      },
    };
    // What the user writes is kept: in a window that it fills, compactions come ever more often.
    compactChat(chatHistory(count), { window: 16_000, layers: [counting, ...presets.default()] });
    return plans;
  };
  const [few, some, many] = [150, 300, 600].map(countPlans) as [number, number, number];
  expect(few).toBeGreaterThan(3);
  // Not at each of the 300 calls.
  expect(few).toBeLessThan(20);
  expect(some).toBeLessThan(few * 2.5);
  expect(many).toBeLessThan(some * 2.5);
});
