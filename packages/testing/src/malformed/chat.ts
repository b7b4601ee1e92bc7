import { everyKind, extended, pieces } from '../bodies/chat.ts';
import { type Good, type Row, user } from './row.ts';

const asks = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const tool = (id: string, content: unknown = 'r') => ({ role: 'tool', tool_call_id: id, content });
const gpt = (...messages: readonly unknown[]) => ({ model: 'm', messages });
const fn = (over: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...over }],
});

export const rows: readonly Row[] = [
  ['messages-missing', 'messages', { model: 'm' }],
  ['messages-empty', 'messages', gpt()],
  ['too-many-messages', 'messages', gpt(...Array.from({ length: 2049 }, () => user()))],
  ['too-many-bytes', '', gpt(...Array.from({ length: 6 }, () => user('x'.repeat(10_000_000))))],
  ['too-many-chars', 'messages.0', gpt(user('x'.repeat(10_485_761)))],
  ['not-a-message', 'messages.0', gpt('words')],
  ['unknown-role', 'messages.0', gpt({ role: 'model', content: 'x' })],
  ['empty-content', 'messages.0', gpt(user(null))],
  ['empty-content', 'messages.0', gpt(user([]))],
  ['empty-content', 'messages.1', gpt(user(), { role: 'assistant', content: null, refusal: null })],
  ['not-a-block', 'messages.0.content.0', gpt(user([{}]))],
  ['misplaced-block', 'messages.0.content.0', gpt({ role: 'system', content: [pieces.image_url] }, user())],
  ['misplaced-block', 'messages.2.content.0', gpt(user(), asks('a'), tool('a', [pieces.image_url]))],
  ['misplaced-block', 'messages.0', gpt({ ...user(), tool_calls: [] })],
  ['empty-calls', 'messages.1', gpt(user(), asks())],
  [
    'too-many-calls',
    'messages.1',
    gpt(
      user(),
      asks(...Array.from({ length: 129 }, (_, i) => `c${i}`)),
      ...Array.from({ length: 129 }, (_, i) => tool(`c${i}`)),
    ),
  ],
  ['duplicate-call', 'messages.1.tool_calls.1', gpt(user(), asks('a', 'a'), tool('a'))],
  ['call-id', 'messages.1.tool_calls.0', gpt(user(), asks('a'.repeat(41)), tool('a'.repeat(41)))],
  ['call-name', 'messages.1.tool_calls.0', gpt(user(), fn({ function: { name: 'a.b', arguments: '{}' } }), tool('a'))],
  ['call-input', 'messages.1.tool_calls.0', gpt(user(), fn({ function: { name: 'f', arguments: {} } }), tool('a'))],
  ['call-without-result', 'messages.1.tool_calls.1', gpt(user(), asks('a', 'b'), tool('a'))],
  ['call-without-result', 'messages.1.tool_calls.0', gpt(user(), asks('a'), user('meanwhile'), tool('a'))],
  ['result-without-call', 'messages.1', gpt(user(), tool('a'))],
  ['result-without-call', 'messages.3', gpt(user(), asks('a'), tool('a'), tool('b'))],
  ['result-without-call', 'messages.1', gpt(user(), { role: 'function', name: 'f', content: 'x' })],
  ['duplicate-result', 'messages.3', gpt(user(), asks('a'), tool('a'), tool('a'))],
  ...['fs.read', 'default_api:read', 'read file', 'x'.repeat(65)].flatMap((name): readonly Row[] => [
    ['call-name', 'messages.1.tool_calls.0', gpt(user(), fn({ function: { name, arguments: '{}' } }), tool('a'))],
    ['tool-name', 'tools.0.function.name', { ...gpt(user()), tools: [{ type: 'function', function: { name } }] }],
    ['tool-name', 'tools.0.custom.name', { ...gpt(user()), tools: [{ type: 'custom', custom: { name } }] }],
    ['tool-name', 'functions.0.name', { ...gpt(user()), functions: [{ name }] }],
  ]),
  ['lone-surrogate', 'messages.0.content', gpt(user('half a pair: \ud83d'))],
];

export const alternatingRows: readonly Row[] = [
  ['first-role', 'messages.1', gpt({ role: 'system', content: 's' }, { role: 'assistant', content: 'x' }, user())],
  ['alternation', 'messages.1', gpt(user(), user())],
  ['alternation', 'messages.2', gpt(user(), { role: 'assistant', content: 'x' }, { role: 'assistant', content: 'y' })],
  ['alternation', 'messages.3', gpt(user(), asks('a'), tool('a'), user())],
  ['alternation', 'messages.1', gpt(user(), { role: 'system', content: 's' })],
];

export const good: readonly Good[] = [
  ['every kind of message', everyKind],
  ['what other servers add', extended],
  [
    'users and assistants in a row',
    gpt({ role: 'assistant', content: 'x' }, user(), user(), { role: 'assistant', content: 'y' }),
  ],
];

export const alternatingGood: readonly Good[] = [
  [
    'a strict conversation',
    gpt(
      { role: 'system', content: 's' },
      user(),
      asks('a', 'b'),
      tool('a'),
      tool('b'),
      { role: 'assistant', content: 'x' },
      user(),
    ),
  ],
];
