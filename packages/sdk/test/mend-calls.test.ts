import type { Message } from '@palimpsest/core';
import { AIMessage, HumanMessage, ToolMessage } from 'langchain';
import { expect, it } from 'vitest';
import { aiSdkPrompt } from '../src/ai-sdk/ai-sdk-prompt.ts';
import { langChainMessages } from '../src/langchain/langchain-messages.ts';

const BAD = 'default_api:fs.read';
const HALF = 'half \ud83d';

const round = (toolName: string) => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input: { path: HALF } }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName, output: { type: 'text', value: HALF } }],
  },
];

const spoken = (read: readonly Message[]): string => JSON.stringify(read.map(({ parts }) => parts));

it('AI SDK: what a model made up, ids that come again and half a pair do not stay in the prompt', () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: HALF }] }, ...round('fs.read'), ...round(BAD)];
  const body = { prompt, tools: [{ type: 'function', name: 'fs.read' }], model: 'm' };
  const { messages } = aiSdkPrompt.decode(body);
  const sent = aiSdkPrompt.encode(messages, body).body;
  expect(JSON.stringify(sent)).not.toMatch(/\\ud83d/i);
  const parts = (sent.prompt as { content: { toolCallId?: string; toolName?: string }[] }[]).flatMap(
    ({ content }) => content,
  );
  expect(parts.slice(1).map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c1', 'c1_2', 'c1_2']);
  // A tool of the request's own is the adapter's affair.
  const names = parts.slice(1).map(({ toolName }) => toolName);
  expect(names.slice(0, 2)).toEqual(['fs.read', 'fs.read']);
  expect(names[2]).toMatch(/^default_api_fs_read_[0-9a-f]{12}$/);
  expect(names[3]).toBe(names[2]);
  // The host's own prompt is as it was, and is read the same again.
  expect(prompt).toEqual(body.prompt);
  expect(spoken(aiSdkPrompt.decode(body).messages)).toBe(spoken(messages));
});

it('LangChain: what a model made up, ids that come again and half a pair do not stay in the messages', () => {
  const call = (name: string) => [
    new AIMessage({
      content: [{ type: 'tool_use', id: 'c1', name, input: {} }],
      tool_calls: [{ id: 'c1', name, args: {}, type: 'tool_call' }],
    } as never),
    new ToolMessage({ content: HALF, tool_call_id: 'c1' }),
  ];
  const given = [new HumanMessage('go'), ...call('fs.read'), ...call(BAD), new HumanMessage('on')];
  const body = { messages: given, tools: [{ name: 'fs.read' }], model: 'm' };
  const { messages } = langChainMessages.decode(body);
  const sent = langChainMessages.encode(messages, body).body.messages as typeof given;
  expect(sent[0]).toBe(given[0]);
  expect(sent[1]).toBe(given[1]);
  expect(sent[2]).toBeInstanceOf(ToolMessage);
  expect(sent[2]).toMatchObject({ content: 'half \ufffd', tool_call_id: 'c1' });
  const name = expect.stringMatching(/^default_api_fs_read_[0-9a-f]{12}$/);
  expect(sent[3]).toMatchObject({
    tool_calls: [{ id: 'c1_2', name }],
    content: [{ type: 'tool_use', id: 'c1_2', name }],
  });
  expect(sent[4]).toMatchObject({ tool_call_id: 'c1_2' });
  expect(sent[5]).toBe(given[5]);
  expect(given[3]).toMatchObject({ tool_calls: [{ id: 'c1', name: BAD }] });
});
