import { call, type Message, result, text } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { gemini } from '../src/index.ts';

const message = (id: string, role: Message['role'], ...parts: Message['parts']): Message => ({
  id,
  role,
  origin: role === 'user' ? 'human' : 'model',
  parts,
});
const sent = (view: readonly Message[], body: { contents: object[] } = { contents: [] }): unknown =>
  gemini.encode(view, body).body.contents;

it('responses of one name stand in the order of their calls, whatever order they came in', () => {
  const view = [
    message('1', 'user', text('go')),
    message('2', 'assistant', call('a', 'read', { p: 1 }), call('b', 'read', { p: 2 })),
    message('3', 'user', result('b', 'B')),
    message('4', 'user', text('hurry'), result('a', 'A')),
  ];
  expect(sent(view)).toEqual([
    { role: 'user', parts: [{ text: 'go' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'read', args: { p: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
        { functionCall: { name: 'read', args: { p: 2 } }, thoughtSignature: 'skip_thought_signature_validator' },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { output: 'A' } } },
        { functionResponse: { name: 'read', response: { output: 'B' } } },
        { text: 'hurry' },
      ],
    },
  ]);
});

it('a signature stays on its call; a call that another model made gets the documented stand-in', () => {
  const own = {
    contents: [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] },
    ],
  };
  const { messages } = gemini.decode(own);
  const shortened = messages.map((one) => ({
    ...one,
    parts: one.parts.map((part) => (part.type === 'call' ? { ...part, input: { cut: true } } : part)),
  }));
  expect(sent(shortened, own)).toEqual([
    own.contents[0],
    { role: 'model', parts: [{ functionCall: { name: 'f', args: { cut: true } }, thoughtSignature: 's' }] },
    own.contents[2],
  ]);
  const foreign = { ...call('toolu_1', 'f'), native: { 'anthropic-messages': {} } };
  expect(
    sent([
      message('1', 'user', text('q')),
      message('2', 'assistant', foreign),
      message('3', 'user', result('toolu_1', 'x')),
    ]),
  ).toMatchObject([{}, { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }, {}]);
});

it('a call that a host made up, or that an edit shortened, has the stand-in too: a call without any is refused', () => {
  const signatures = (made: Message['parts'][number]): unknown =>
    sent([message('1', 'user', text('q')), message('2', 'assistant', made), message('3', 'user', result('c', 'x'))]);
  const own = { ...call('c', 'f'), native: { gemini: {} } };
  const withStandIn = [{}, { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }, {}];
  expect(signatures(call('c', 'f'))).toMatchObject(withStandIn);
  expect(signatures({ ...own, signature: '' })).toMatchObject(withStandIn);
  // Models that sign nothing are told nothing.
  expect(signatures(own)).toMatchObject([{}, { parts: [{ functionCall: { name: 'f', args: {} } }] }, {}]);
  expect(JSON.stringify(signatures(own))).not.toContain('thoughtSignature');
});

it('an error has its own key; JSON stays JSON until an edit makes it text', () => {
  const own = {
    contents: [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { rows: [1, 2], next: null } } }] },
    ],
  };
  const { messages } = gemini.decode(own);
  expect(sent(structuredClone(messages))).toMatchObject([{}, {}, own.contents[2]]);
  const cleared = messages.map((one) => ({
    ...one,
    parts: one.parts.map((part) => (part.type === 'result' ? { ...part, content: [text('[cleared]')] } : part)),
  }));
  expect(sent(cleared, own)).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { name: 'f', response: { output: '[cleared]' } } }] },
  ]);
  const failed = [
    ...messages.slice(0, 2),
    message(
      'e',
      'user',
      result(messages[1]!.parts[0]!.type === 'call' ? messages[1]!.parts[0]!.callId : '', 'no', true),
    ),
  ];
  expect(sent(failed, own)).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { name: 'f', response: { error: 'no' } } }] },
  ]);
});

it("a notice between the model's turns keeps them apart; without one they join", () => {
  const own = {
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ text: 'b' }] },
      { role: 'user', parts: [{ text: 'c' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] },
    ],
  };
  const { messages } = gemini.decode(own);
  const [a, b, , d, e] = messages as [Message, Message, Message, Message, Message];
  expect(sent([a, b, message('n', 'user', text('hidden')), d, e], own)).toEqual([
    ...own.contents.slice(0, 2),
    { role: 'user', parts: [{ text: 'hidden' }] },
    ...own.contents.slice(3),
  ]);
  const joined = gemini.encode([a, b, d, e], own).body;
  expect(joined.contents).toHaveLength(3);
  expect(gemini.validate(joined)).toEqual([]);
});
