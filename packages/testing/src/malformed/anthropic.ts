import { blocks, everyKind } from '../bodies/anthropic.ts';
import { type Good, type Row, user } from './row.ts';

const bot = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const use = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'f', input: {}, ...more });
const res = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'r', ...more });
const say = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const think = (signature = 's') => ({ type: 'thinking', thinking: 't', signature });
const cacheMark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) } });
const claude = (...messages: readonly unknown[]) => ({ model: 'claude-opus-5-5', max_tokens: 1, messages });
const signed = { type: 'compaction', content: 'c', signature: 's' };

export const rows: readonly Row[] = [
  ['messages-missing', 'messages', { model: 'm' }],
  ['messages-empty', 'messages', claude()],
  ['too-many-messages', 'messages', claude(...Array.from({ length: 100_001 }, () => user()))],
  ['too-many-bytes', '', claude(user('x'.repeat(33 * 1024 * 1024)))],
  ['not-a-message', 'messages.1', claude(user(), 'words')],
  ['unknown-role', 'messages.1', claude(user(), { role: 'tool', content: 'x' })],
  ['empty-content', 'messages.0', claude(user(''))],
  ['empty-content', 'messages.1', claude(user(), bot(), user())],
  ['empty-content', 'messages.1', claude(user(), { role: 'system', clear_at: 'never' })],
  ['empty-text', 'messages.0.content.0', claude(user([say('')]))],
  ['empty-text', 'messages.0.content.1', claude(user([say('a'), say(' \n')]))],
  ['empty-text', 'messages.0', claude(user(' '))],
  ['empty-text', 'messages.0.content.0', claude(user([{ type: 'text' }]))],
  [
    'empty-text',
    'messages.2.content.0.content.0',
    claude(user(), bot(use('a')), user([res('a', { content: [say('')] })])),
  ],
  ['not-a-block', 'messages.0.content.0', claude(user(['words']))],
  ['misplaced-block', 'messages.0.content.0', claude(user([use('a')]))],
  ['misplaced-block', 'messages.0.content.0', claude(user([think()]))],
  ['misplaced-block', 'messages.1.content.0', claude(user(), bot(blocks.image), user())],
  ['misplaced-block', 'messages.1.content.0', claude(user(), bot(res('a')), user())],
  ['misplaced-block', 'messages.1.content.0', claude(user(), { role: 'system', content: [blocks.image] })],
  ['thinking-signature', 'messages.1.content.0', claude(user(), bot(think(''), say('a')), user())],
  ['thinking-signature', 'messages.1.content.0', claude(user(), bot({ type: 'redacted_thinking' }, say('a')), user())],
  ['final-thinking', 'messages.1.content.1', claude(user(), bot(say('a'), think()), user())],
  ['final-whitespace', 'messages.1.content.0', claude(user(), bot(say('a ')))],
  ['call-id', 'messages.1.content.0', claude(user(), bot(use('a:b')), user([res('a:b')]))],
  ['call-name', 'messages.1.content.0', claude(user(), bot(use('a', { name: '' })), user([res('a')]))],
  ['call-input', 'messages.1.content.0', claude(user(), bot(use('a', { input: 'x' })), user([res('a')]))],
  [
    'error-content',
    'messages.2.content.0.content.0',
    claude(user(), bot(use('a')), user([res('a', { is_error: true, content: [blocks.image] })])),
  ],
  ['first-role', 'messages.0', claude(bot(say('a')), user())],
  ['call-without-result', 'messages.1.content.1', claude(user(), bot(use('a'), use('b')), user([res('a')]))],
  ['call-without-result', 'messages.1.content.0', claude(user(), bot(use('a')))],
  [
    'call-without-result',
    'messages.1.content.0',
    claude(user(), bot(use('a')), user(), bot(say('x')), user([res('b')])),
  ],
  ['result-order', 'messages.1.content.0', claude(user(), bot(use('a')), user([say('wait'), res('a')]))],
  ['result-order', 'messages.1.content.0', claude(user(), bot(use('a')), user(), user([res('a')]))],
  ['result-without-call', 'messages.0.content.0', claude(user([res('a')]))],
  [
    'result-without-call',
    'messages.4.content.0',
    claude(user(), bot(use('a')), user([res('a')]), bot(say('x')), user([res('a')])),
  ],
  ['duplicate-call', 'messages.1.content.1', claude(user(), bot(use('a'), use('a')), user([res('a')]))],
  ['duplicate-result', 'messages.2.content.1', claude(user(), bot(use('a')), user([res('a'), res('a')]))],
  [
    'server-tool-unpaired',
    'messages.1.content.0',
    claude(user(), bot(blocks.server_tool_use), user(), bot(say('x')), user()),
  ],
  [
    'server-tool-unpaired',
    'messages.1.content.0',
    claude(user(), bot(blocks.web_search_tool_result, say('x')), user()),
  ],
  ['server-tool-unpaired', 'messages.1.content.0', claude(user(), bot(blocks.mcp_tool_result, say('x')), user())],
  [
    'empty-compaction',
    'messages.1.content.0',
    claude(user(), bot({ type: 'compaction', content: '' }, say('x')), user()),
  ],
  ['compaction-misplaced', 'messages.1.content.0', claude(user(), bot(signed, say('x')), user())],
  ['compaction-ambiguous', 'messages.0.content.1', claude(bot(signed, signed, say('x')), user())],
  [
    'compaction-with-edits',
    'compaction',
    { ...claude(user()), compaction: { type: 'summarize' }, context_management: { edits: [] } },
  ],
  [
    'edit-order',
    'context_management.edits.1',
    {
      ...claude(user()),
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }] },
    },
  ],
  [
    'too-many-breakpoints',
    'messages.0.content.2',
    {
      ...claude(user([say('a', cacheMark()), say('b', cacheMark()), say('c', cacheMark())])),
      tools: [{ name: 'f', ...cacheMark() }],
      system: [say('s', cacheMark())],
    },
  ],
  [
    'breakpoint-order',
    'messages.0.content.0',
    { ...claude(user([say('a', cacheMark('1h'))])), system: [say('s', cacheMark())] },
  ],
  [
    'breakpoint-on-thinking',
    'messages.1.content.0',
    claude(user(), bot({ ...think(), ...cacheMark() }, say('x')), user()),
  ],
  [
    'thinking-behind-change',
    'messages.1.content.0',
    claude(user('other'), bot(think(), say('x')), user()),
    claude(user('first'), bot(think(), say('x')), user()),
  ],
  [
    'duplicate-call',
    'messages.3.content.0',
    claude(user(), bot(use('a')), user([res('a')]), bot(use('a')), user([res('a')])),
  ],
  ...['fs.read', 'default_api:read', 'read file', 'x'.repeat(129)].flatMap((name): readonly Row[] => [
    ['call-name', 'messages.1.content.0', claude(user(), bot({ ...use('a'), name }), user([res('a')]))],
    ['tool-name', 'tools.0.custom.name', { ...claude(user()), tools: [{ name, input_schema: {} }] }],
  ]),
  ...[{}, { content: '' }, { content: [] }].map(
    (silent): Row => [
      'empty-error',
      'messages.2.content.0',
      claude(user(), bot(use('a')), user([{ type: 'tool_result', tool_use_id: 'a', is_error: true, ...silent }])),
    ],
  ),
  ['lone-surrogate', 'messages.0.content', claude(user('half a pair: \ud83d'))],
  [
    'lone-surrogate',
    'messages.1.content.0.input',
    claude(user(), bot({ ...use('a'), input: { '\ude00': 1 } }), user([res('a')])),
  ],
];

export const good: readonly Good[] = [
  ['a whole pair', claude(user('\ud83d\ude00'))],
  [
    'an assistant turn in one message a block',
    claude(user(), bot(think()), bot(use('a')), bot(use('b')), user([res('a')]), user([res('b')])),
  ],
  ['every kind of block', { ...everyKind, tools: [], system: 's' }],
  [
    'neighbours of one role',
    claude(user(), user(), bot(use('a')), user([res('a')]), user('and'), bot(say('x')), bot(say('y')), user()),
  ],
  [
    'results of one turn in two messages',
    claude(user(), bot(use('a'), use('b')), user([res('a')]), user([res('b'), say('x')])),
  ],
  ['a compaction that opens the conversation', claude(bot(signed, say('x')), user())],
  [
    'a thread that goes on with results',
    { ...claude(user([res('a')])), thread: { type: 'continue', previous_message_id: 'm' } },
  ],
  ['a server tool that still runs', claude(user(), bot(blocks.server_tool_use))],
  [
    'code that called our tools between',
    claude(
      user(),
      bot({ ...blocks.server_tool_use, id: 'srvtoolu_4' }, use('a')),
      user([res('a')]),
      bot(blocks.code_execution_tool_result, say('x')),
      user(),
    ),
  ],
  ['an empty last assistant message', claude(user(), bot())],
  [
    'thinking behind what only grew',
    claude(user(), bot(think(), say('x')), user(), bot(think(), say('y')), user()),
    claude(user([say('hi', cacheMark())]), bot(think(), say('x')), user()),
  ],
  [
    'thinking behind a change, on a model that does not check',
    { ...claude(user('b'), bot(think(), say('x')), user()), model: 'claude-opus-5' },
    claude(user('a'), bot(think(), say('x')), user()),
  ],
  [
    'thinking behind a change, dropped by the server',
    {
      ...claude(user('b'), bot(think(), say('x')), user()),
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    },
    claude(user('a'), bot(think(), say('x')), user()),
  ],
];
