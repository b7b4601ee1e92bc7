import { CompactionError } from '@palimpsest/core';
import * as anthropic from '@palimpsest/testing/bodies/anthropic';
import * as chat from '@palimpsest/testing/bodies/chat';
import * as google from '@palimpsest/testing/bodies/gemini';
import * as responses from '@palimpsest/testing/bodies/responses';
import { describe, expect, it } from 'vitest';
import { anthropicMessages, gemini, messageIds, openaiChat, openaiResponses } from '../src/index.ts';

describe('who said it', () => {
  it('Anthropic: people, tools, models and the host are told apart', () => {
    expect(anthropicMessages.decode(anthropic.everyKind).messages.map(({ origin }) => origin)).toEqual([
      'human',
      'model',
      'human',
      'harness',
      'harness',
      'model',
      'human',
    ]);
    expect(anthropicMessages.decode(anthropic.oddForms).messages.map(({ origin }) => origin)).toEqual([
      'human',
      'human',
      'model',
      'tool',
      'model',
      'human',
      'model',
    ]);
  });

  it('chat: what stands first is the system prompt, what comes later the host', () => {
    const { messages, system } = openaiChat.decode(chat.everyKind);
    expect(system).toBe('be brief\nand kind');
    expect(messages.map(({ origin }) => origin)).toEqual([
      'human',
      'model',
      'tool',
      'tool',
      'harness',
      'harness',
      'model',
      'tool',
      'model',
      'model',
      'human',
    ]);
  });

  it('responses: items of one answer are one message, each output its own', () => {
    const { messages, system } = openaiResponses.decode(responses.everyKind);
    expect(system).toBe('be brief\nand kind');
    const answer = messages.find(({ parts }) => parts.some((part) => part.type === 'reasoning'))!;
    expect(answer.parts.flatMap((part) => (part.type === 'call' ? [part.tool] : []))).toEqual([
      'read',
      'patch',
      'local_shell',
      'shell',
      'apply_patch',
      'computer',
      'tool_search',
    ]);
    expect(messages.filter(({ origin }) => origin === 'tool')).toHaveLength(8);
  });

  it('gemini: a response belongs to its call by id, or by name and order', () => {
    const [, calls, results] = gemini.decode(google.everyKind).messages;
    const ids = calls!.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
    expect(ids).toEqual(['f1', 'gemini-1-7', 'gemini-1-8', 'gemini-1-9']);
    expect(results!.parts.flatMap((part) => (part.type === 'result' ? [part.callId] : []))).toEqual([
      'f1',
      'gemini-1-8',
      'gemini-1-7',
      'gemini-1-9',
    ]);
    expect(results!.parts.map((part) => part.type === 'result' && part.isError === true)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});

it('Anthropic: calls of one turn in several messages are one message, so that results come behind them all', () => {
  const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] });
  const answer = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] });
  const body = {
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'well' },
      use('a'),
      use('b'),
      answer('a'),
      answer('b'),
    ],
  };
  const { messages } = anthropicMessages.decode(body);
  expect(messages.map(({ role, parts }) => `${role} ${parts.length}`)).toEqual([
    'user 1',
    'assistant 1',
    'assistant 2',
    'user 1',
    'user 1',
  ]);
  expect(anthropicMessages.encode(messages, body).body).toEqual(body);
  expect(anthropicMessages.encode(messages.slice(0, 3), body).body.messages).toEqual(body.messages.slice(0, 4));
});

describe('every call of every kind has its result', () => {
  it.each([
    ['anthropic', anthropicMessages.decode(anthropic.everyKind).messages],
    ['chat', openaiChat.decode(chat.everyKind).messages],
    ['chat, extended', openaiChat.decode(chat.extended).messages],
    ['responses', openaiResponses.decode(responses.everyKind).messages],
    ['gemini', gemini.decode(google.everyKind).messages],
    ['gemini, snake case', gemini.decode(google.snakeCase).messages],
  ])('%s', (_, messages) => {
    const parts = messages.flatMap((message) => message.parts);
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
    const results = parts.flatMap((part) => (part.type === 'result' ? [part.callId] : []));
    expect(calls.length).toBeGreaterThan(0);
    expect([...results].sort()).toEqual([...calls].sort());
  });
});

describe('what the meter and the layers must know', () => {
  it('system prompt and tools', () => {
    const { system, tools } = anthropicMessages.decode(anthropic.everyKind);
    expect(system).toBe('be brief');
    expect(tools).toHaveLength(3);
    expect(gemini.decode(google.everyKind).system).toBe('be brief');
    expect(gemini.decode(google.snakeCase).system).toBe('be brief');
  });

  it('the newest server-side compaction is a boundary', () => {
    expect(anthropicMessages.decode(anthropic.everyKind).boundary).toBe(1);
    expect(anthropicMessages.decode(anthropic.oddForms).boundary).toBeUndefined();
    const failed = {
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'compaction', content: null },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    };
    expect(anthropicMessages.decode(failed).boundary).toBeUndefined();
    const { messages, boundary } = openaiResponses.decode(responses.everyKind);
    expect(messages[boundary!]!.parts).toEqual([
      { type: 'native', wire: 'openai-responses', block: responses.items.compaction },
    ]);
  });

  it('whether the server holds an earlier part of the conversation', () => {
    expect(
      anthropicMessages.decode({ messages: [], thread: { type: 'continue', previous_message_id: 'm' } }).partial,
    ).toBe(true);
    expect(anthropicMessages.decode({ messages: [], thread: { type: 'create' } }).partial).toBe(false);
    expect(openaiResponses.decode({ input: [], previous_response_id: 'r' }).partial).toBe(true);
    expect(openaiResponses.decode({ input: [{ id: 'msg_1' }] }).partial).toBe(true);
    expect(openaiResponses.decode({ input: 'hi' }).partial).toBe(false);
  });

  it.each([
    ['claude-opus-5-5', 'bound'],
    ['claude-fable-5-1', 'bound'],
    ['anthropic.claude-haiku-5-5-v1:0', 'bound'],
    ['claude-opus-5', 'free'],
    ['claude-fable-5', 'free'],
    ['claude-sonnet-4-5-20250929', 'free'],
    ['claude-sonnet-4-20250514', 'free'],
    ['something-else', 'free'],
  ])('thinking of %s is %s', (model, reasoning) => {
    expect(anthropicMessages.decode({ model, messages: [] }).rules.reasoning).toBe(reasoning);
  });

  it('a body without its conversation is refused with a word on what to do', () => {
    for (const call of [
      () => anthropicMessages.decode({} as never),
      () => openaiChat.decode({ messages: 'x' } as never),
      () => gemini.decode({ contents: { parts: [] } } as never),
    ]) {
      expect(call).toThrow(CompactionError);
      expect(call).toThrow(/pass the request body/);
    }
  });
});

describe('ids', () => {
  const body = (content: unknown) => ({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'yes' },
    ],
  });
  const idsOf = (content: unknown) => anthropicMessages.decode(body(content)).messages.map(({ id }) => id);

  it('a breakpoint that moves and a string that becomes a block leave them as they are', () => {
    const plain = idsOf('hello');
    expect(idsOf([{ type: 'text', text: 'hello' }])).toEqual(plain);
    expect(idsOf([{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral' } }])).toEqual(plain);
    expect(idsOf('hello!')).not.toEqual(plain);
  });

  it('a change early on changes all that follow', () => {
    const [first, second] = idsOf('a');
    const [other, later] = idsOf('b');
    expect(first).not.toBe(other);
    expect(second).not.toBe(later);
  });

  it('equal messages at two places have two ids', () => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'again' }] } as const;
    expect(new Set(messageIds([message, message, message])).size).toBe(3);
  });
});
