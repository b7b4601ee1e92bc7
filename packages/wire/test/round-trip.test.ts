import type { Message } from '@palimpsest/core';
import * as anthropic from '@palimpsest/testing/bodies/anthropic';
import * as chat from '@palimpsest/testing/bodies/chat';
import * as google from '@palimpsest/testing/bodies/gemini';
import * as responses from '@palimpsest/testing/bodies/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConversations } from '../../sdk/src/conversations/conversations.ts';
import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Wire,
} from '../src/index.ts';

interface Case {
  readonly label: string;
  readonly wire: Wire<never>;
  readonly bodies: readonly object[];
  /** Any bodies, good or bad. */
  readonly random: fc.Arbitrary<object>;
  /** The body without its conversation. */
  readonly empty: (body: object) => object;
}

const asCase = <B extends object>(label: string, wire: Wire<B>, rest: Omit<Case, 'label' | 'wire'>): Case => ({
  label,
  wire: wire as unknown as Wire<never>,
  ...rest,
});

const json = fc.jsonValue({ maxDepth: 2 });
const extra = fc.dictionary(fc.constantFrom('x_new', 'cache_control', 'note', 'prompt_cache_breakpoint'), json, {
  maxKeys: 2,
});
const oneOf = (values: readonly object[]): fc.Arbitrary<object> =>
  fc.tuple(fc.constantFrom(...values), extra).map(([value, more]) => ({ ...value, ...more }));
const words = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'hello'));

const anthropicContent = fc.oneof(
  words,
  fc.array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: oneOf([...Object.values(anthropic.blocks), { type: 'brand_new', a: 1 }, { type: 'text', text: '' }]),
      },
      { weight: 1, arbitrary: json },
    ),
  ),
  fc.constant(null),
);
/** Now and then something that is no message at all. */
const listOf = (message: fc.Arbitrary<object>): fc.Arbitrary<readonly unknown[]> =>
  fc.array(fc.oneof({ weight: 20, arbitrary: message }, { weight: 1, arbitrary: json }), { maxLength: 10 });

const anthropicBody = listOf(
  fc
    .tuple(fc.constantFrom('user', 'assistant', 'system', 'odd'), anthropicContent, extra)
    .map(([role, content, more]) => ({ role, content, ...more })),
).map((messages) => ({ model: 'm', max_tokens: 1, messages }));

const chatMessages = [
  ...chat.everyKind.messages,
  ...chat.extended.messages,
  { role: 'tool' },
  { role: 'odd', content: [] },
  { role: 'assistant', content: '', tool_calls: [{ odd: 1 }] },
];
const chatBody = listOf(
  fc.oneof(
    { weight: 9, arbitrary: oneOf(chatMessages) },
    {
      weight: 2,
      arbitrary: fc.record({
        role: fc.constantFrom('user', 'assistant', 'developer'),
        content: fc.oneof(words, fc.array(oneOf(Object.values(chat.pieces)))),
      }),
    },
  ),
).map((messages) => ({ model: 'm', messages }));

const responseItems = [
  ...Object.values(responses.items),
  ...Object.values(responses.betaItems),
  ...(responses.everyKind.input as object[]),
  { type: 'brand_new' },
  { type: 'brand_new_output', call_id: 'c' },
  { id: 'only' },
];
const responsesBody = fc.oneof(
  words.map((input) => ({ model: 'm', input })),
  fc.constant({ model: 'm' }),
  fc
    .array(fc.oneof({ weight: 12, arbitrary: oneOf(responseItems) }, { weight: 1, arbitrary: json }), { maxLength: 14 })
    .map((input) => ({ model: 'm', input })),
);

const geminiParts = [
  ...Object.values(google.parts),
  ...google.snakeCase.contents.flatMap((content): readonly object[] => content.parts),
  {},
  { text: '' },
  { text: 'a', functionCall: { name: 'f' } },
];
const geminiBody = listOf(
  fc.record({
    role: fc.constantFrom('user', 'model', 'function', 'odd', undefined),
    parts: fc.oneof(
      fc.array(fc.oneof({ weight: 9, arbitrary: oneOf(geminiParts) }, { weight: 1, arbitrary: json })),
      fc.constant(undefined),
    ),
  }),
).map((contents) => ({ contents }));

const cases: readonly Case[] = [
  asCase('anthropic', anthropicMessages, {
    bodies: [anthropic.everyKind, anthropic.oddForms],
    random: anthropicBody,
    empty: (body) => ({ ...body, messages: [] }),
  }),
  asCase('chat', openaiChat, { bodies: [chat.everyKind, chat.extended], random: chatBody, empty: withoutTalk }),
  asCase('chat, alternating', openaiChatAlternating, {
    bodies: [chat.everyKind, chat.extended],
    random: chatBody,
    empty: withoutTalk,
  }),
  asCase('responses', openaiResponses, {
    bodies: [responses.everyKind, responses.betaKinds],
    random: responsesBody,
    empty: (body) => ({ ...body, input: [] }),
  }),
  asCase('gemini', gemini, {
    bodies: [google.everyKind, google.snakeCase],
    random: geminiBody,
    empty: (body) => ({ ...body, contents: [] }),
  }),
];

function withoutTalk(body: object): object {
  const { messages } = body as { messages: { role: string }[] };
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return { ...body, messages: messages.slice(0, first) };
}

function listIn(body: object): readonly unknown[] {
  const { messages, input, contents } = body as Record<string, readonly unknown[] | undefined>;
  return messages ?? input ?? contents ?? [];
}

const CALL_IDS = ['id', 'call_id', 'tool_use_id', 'tool_call_id', 'approval_request_id'];

/** No provider is sent one id for two calls. Where a body has such, nothing but ids may differ from what came in. */
function spellBody(body: object, given: object): string {
  const isRepeated = hasRepeatedCalls(given);
  return JSON.stringify(body, (key, value) => (isRepeated && CALL_IDS.includes(key) ? '' : value));
}

function hasRepeatedCalls(body: object): boolean {
  const ids = callIdsIn(body);
  return new Set(ids).size < ids.length;
}

/** The ids of whatever looks like a call. */
function callIdsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(callIdsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, id, call_id, function: made, custom, input, functionCall, ...rest } = value as Record<string, unknown>;
  const own =
    type === 'tool_use' || made !== undefined || custom !== undefined || type === 'mcp_approval_request'
      ? [id]
      : [call_id].filter((one) => one !== undefined && !String(type).endsWith('_output'));
  const inner = (functionCall as { id?: unknown } | undefined)?.id;
  return [...own, ...(inner === undefined ? [] : [inner]), ...Object.values({ input, ...rest }).flatMap(callIdsIn)];
}

const partsOf = (messages: readonly Message[]): unknown => messages.map(({ role, parts }) => ({ role, parts }));

describe.each(cases)('$label', ({ wire, bodies, random }) => {
  const decode = (body: object): readonly Message[] => wire.decode(body as never).messages;
  const encode = (messages: readonly Message[], body: object): object => wire.encode(messages, body as never).body;

  it.each(bodies.map((body, i) => ({ body, i })))('every kind of block comes back as it went (body $i)', ({ body }) => {
    expect(encode(decode(body), body)).toEqual(body);
    expect(JSON.stringify(encode(decode(body), body))).toBe(JSON.stringify(body));
  });

  it('any body comes back as it went', () => {
    fc.assert(
      fc.property(random, (body) => {
        const before = spellBody(body, body);
        expect(spellBody(encode(decode(body), body), body)).toBe(before);
        expect(spellBody(encode(structuredClone(decode(body)), body), body)).toBe(before);
      }),
      { numRuns: 250 },
    );
  });

  it('any head of a body comes back as it went', () => {
    fc.assert(
      fc.property(random, fc.nat(6), (body, length) => {
        const messages = decode(body);
        const key = Object.keys(body).find((one) => ['messages', 'input', 'contents'].includes(one)) ?? 'input';
        const sent = (encode(messages.slice(0, length), body) as Record<string, unknown>)[key];
        const given = (body as Record<string, unknown>)[key];
        if (!Array.isArray(sent) || !Array.isArray(given)) return;
        expect(spellBody(sent, body)).toBe(spellBody(given.slice(0, sent.length), body));
      }),
      { numRuns: 120 },
    );
  });

  it('ids depend on nothing but what was said up to the message', () => {
    fc.assert(
      fc.property(random, fc.nat(8), (body, length) => {
        // What comes back from a provider's door has other ids then; a host's own body has not.
        fc.pre(!hasRepeatedCalls(body));
        const ids = decode(body).map(({ id }) => id);
        const shorter = encode(decode(body).slice(0, length), body);
        const again = decode(shorter).map(({ id }) => id);
        expect(ids.slice(0, again.length)).toEqual(again);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 120 },
    );
  });

  it('a conversation takes any body, however odd, with room and without', async () => {
    await fc.assert(
      fc.asyncProperty(random, fc.constantFrom(60, 400, 100_000), async (body, window) => {
        const before = JSON.stringify(body);
        const kept = await createConversations({ window }).keep({ format: wire, body: body as never, model: 'm' });
        expect(JSON.stringify(body)).toBe(before);
        if (kept === undefined) return;
        expect(JSON.parse(JSON.stringify(kept.body))).toBeTypeOf('object');
        await kept.refused({});
      }),
      { numRuns: 40 },
    );
  });

  it('what fits goes through a conversation as it came, from the newest compaction on', async () => {
    const [body] = bodies as readonly [object];
    const kept = await createConversations({ window: 1e6 }).keep({ format: wire, body: body as never, model: 'm' });
    if (kept === undefined) return expect(wire.decode(body as never).partial).toBe(true);
    const sent = listIn(kept.body);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(listIn(body).slice(-sent.length));
  });

  it('a malformed body never makes decode, encode or validate throw', () => {
    fc.assert(
      fc.property(random, (body) => {
        const messages = decode(body);
        expect(Array.isArray(wire.validate(encode(messages.slice(1), body) as never))).toBe(true);
      }),
      { numRuns: 120 },
    );
  });
});

// Where roles must alternate, what was read is joined, so it cannot be read back the same.
describe.each(cases.filter(({ label }) => !label.includes('alternating')))(
  '$label, without the body',
  ({ wire, bodies, empty }) => {
    it('messages alone hold all that matters: they encode to the same conversation', () => {
      const messages = structuredClone(wire.decode(bodies[0] as never).messages);
      const rebuilt = wire.encode(messages, empty(bodies[0]!) as never).body;
      expect(partsOf(wire.decode(rebuilt).messages)).toEqual(partsOf(messages));
    });
  },
);
