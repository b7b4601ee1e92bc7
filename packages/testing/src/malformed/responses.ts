import { betaKinds, everyKind, items as kinds } from '../bodies/responses.ts';
import { type Good, type Row, user } from './row.ts';

const call = (id: string, over: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
  ...over,
});
const out = (id: string, over: object = {}) => ({ type: 'function_call_output', call_id: id, output: 'r', ...over });
const reason = (id: string) => ({ type: 'reasoning', id, summary: [] });
const items = (...input: readonly unknown[]) => ({ model: 'm', input });

export const rows: readonly Row[] = [
  ['input-empty', 'input', items()],
  ['input-empty', 'input', { model: 'm', input: '' }],
  ['too-many-bytes', '', items(...Array.from({ length: 6 }, () => user('x'.repeat(10_000_000))))],
  ['too-many-chars', 'input.0', items(user('x'.repeat(10_485_761)))],
  ['too-many-chars', 'input.2', items(user(), call('a'), out('a', { output: 'x'.repeat(10_485_761) }))],
  ['not-an-item', 'input.0', items('words')],
  ['not-an-item', 'input.0', items({ content: 'x' })],
  ['unknown-role', 'input.0', items({ role: 'tool', content: 'x' })],
  ['empty-content', 'input.0', items(user([]))],
  [
    'misplaced-block',
    'input.1.content.0',
    items(user(), { role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
  ],
  ['misplaced-block', 'input.0.content.0', items(user([{ type: 'output_text', text: 'x' }]))],
  ['empty-compaction', 'input.1', items(user(), { type: 'compaction', encrypted_content: '' })],
  ['trigger-order', 'input.0', items({ type: 'compaction_trigger' }, user())],
  ['call-id', 'input.1', items(user(), call('a'.repeat(65)), out('a'.repeat(65)))],
  ['call-name', 'input.1', items(user(), call('a', { name: 'a b' }), out('a'))],
  ['call-input', 'input.1', items(user(), call('a', { arguments: {} }), out('a'))],
  [
    'call-input',
    'input.1',
    items(user(), { type: 'shell_call', call_id: 'a' }, { type: 'shell_call_output', call_id: 'a', output: [] }),
  ],
  [
    'duplicate-id',
    'input.2',
    items(user(), { ...reason('rs_1') }, { ...reason('rs_1') }, { role: 'assistant', content: 'x' }),
  ],
  ['duplicate-call', 'input.2', items(user(), call('a'), call('a'), out('a'), out('a'))],
  ['duplicate-call', 'input.3', items(user(), call('a'), out('a'), call('a'), out('a'))],
  ...['fs.read', 'default_api:read', 'read file', 'x'.repeat(65)].flatMap((name): readonly Row[] => [
    ['call-name', 'input.1', items(user(), call('a', { name }), out('a'))],
    ['tool-name', 'tools.0.name', { ...items(user()), tools: [{ type: 'function', name }] }],
    ['tool-name', 'tools.0.name', { ...items(user()), tools: [{ type: 'custom', name }] }],
  ]),
  ['lone-surrogate', 'input.0.content', items(user('half a pair: \ud83d'))],
  ['call-without-result', 'input.1', items(user(), call('a'), user())],
  ['call-without-result', 'input.1', items(user(), kinds.shell_call, { ...out('call_4') })],
  ['result-without-call', 'input.1', items(user(), out('a'))],
  ['result-without-call', 'input.1', items(user(), out('a'), call('a'), out('a'))],
  ['result-without-call', 'input.1', items(user(), kinds.custom_tool_call_output)],
  ['duplicate-result', 'input.3', items(user(), call('a'), out('a'), out('a'))],
  ['reasoning-alone', 'input.1', items(user(), reason('rs_1'), user())],
  ['reasoning-alone', 'input.1', items(user(), reason('rs_1'))],
  [
    'reasoning-missing',
    'input.1',
    items(user(), call('a', { id: 'fc_1' }), out('a')),
    items(user(), reason('rs_1'), call('a', { id: 'fc_1' }), out('a')),
  ],
];

export const good: readonly Good[] = [
  ['every kind of item', everyKind],
  ['beta items', betaKinds],
  ['a string', { model: 'm', input: 'hi' }],
  ['an output whose call the server holds', { ...items(out('a')), previous_response_id: 'r' }],
  ['a call that waits for approval', items(user(), kinds.mcp_approval_request)],
  ['a local shell answered like a function', items(user(), kinds.local_shell_call, out('call_3'))],
  [
    'an id without the reasoning it never had',
    items(user(), call('a', { id: 'fc_1' }), out('a')),
    items(user(), call('a', { id: 'fc_1' }), out('a')),
  ],
];
