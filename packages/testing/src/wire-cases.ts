import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Wire,
} from '@palimpsest/wire';
import fc from 'fast-check';
import * as anthropic from './bodies/anthropic.ts';
import * as chat from './bodies/chat.ts';
import * as google from './bodies/gemini.ts';
import * as responses from './bodies/responses.ts';

/** A provider format with bodies to try it on. */
export interface WireCase {
  readonly label: string;
  readonly wire: Wire<never>;
  readonly bodies: readonly object[];
  /** Any bodies, good or bad. */
  readonly random: fc.Arbitrary<object>;
  /** The body without its conversation. */
  readonly empty: (body: object) => object;
}

const asCase = <B extends object>(label: string, wire: Wire<B>, rest: Omit<WireCase, 'label' | 'wire'>): WireCase => ({
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

/** Every provider format, with bodies that hold every kind of block, and with any others. */
export const wireCases: readonly WireCase[] = [
  asCase('anthropic', anthropicMessages, {
    bodies: [anthropic.everyKind, anthropic.oddForms],
    random: anthropicBody,
    empty: (body) => ({ ...body, messages: [] }),
  }),
  asCase('chat', openaiChat, { bodies: [chat.everyKind, chat.extended], random: chatBody, empty: dropTalk }),
  asCase('chat, alternating', openaiChatAlternating, {
    bodies: [chat.everyKind, chat.extended],
    random: chatBody,
    empty: dropTalk,
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

function dropTalk(body: object): object {
  const { messages } = body as { messages: { role: string }[] };
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return { ...body, messages: messages.slice(0, first) };
}
