import { asFields, asList, asString, type Fields, isBlank, isFields } from '@palimpsest/core/json';
import type { Problems } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import { isThinking } from './blocks.ts';
import { invalidRequest, missingField, schemaProblem } from './problems.ts';

const BY_USER = ['tool_result', 'image', 'document', 'search_result', 'container_upload'];
const BY_ASSISTANT = [
  'tool_use',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
];
const BY_EITHER = ['text', 'compaction', 'fallback', 'mcp_tool_listing', 'tool_addition', 'tool_removal'];
const BY_SYSTEM = ['text', 'tool_addition', 'tool_removal'];
const TAGS = [...BY_EITHER, ...BY_USER, ...BY_ASSISTANT];
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const CALL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** What one block must be, apart from its neighbours. */
export function* checkBlock(block: unknown, path: string, role: string): Problems {
  if (!isFields(block)) return yield schemaProblem(path, 'not-a-block', 'Input should be a valid dictionary');
  const type = asString(block.type);
  if (type === undefined) return yield missingField(`${path}.type`, 'not-a-block');
  if (!TAGS.includes(type))
    return yield schemaProblem(
      path,
      'unknown-block',
      `Input tag '${type}' found using 'type' does not match any of the expected tags: ${TAGS.map((tag) => `'${tag}'`).join(', ')}`,
    );
  yield* checkAuthor(type, path, role);
  if (type === 'text') yield* checkText(block, path);
  if (type === 'tool_use') yield* checkCall(block, path);
  if (type === 'tool_result') yield* checkResult(block, path);
  if (isThinking(type)) yield* checkThinking(block, type, path);
  if ((type === 'image' || type === 'document') && !isFields(block.source))
    yield missingField(`${path}.${type}.source`, 'media-source');
  if (type === 'compaction' && block.content === '')
    yield schemaProblem(`${path}.compaction.content`, 'empty-compaction', 'String should have at least 1 character');
}

function* checkAuthor(type: string, path: string, role: string): Problems {
  const where = path.replace(/\.content\.\d+$/, '');
  if (role === 'system' && !BY_SYSTEM.includes(type))
    yield invalidRequest(
      path,
      'misplaced-block',
      `${where}: \`${type}\` blocks are not permitted in \`system\` messages`,
    );
  if (role !== 'user' && BY_USER.includes(type))
    yield invalidRequest(path, 'misplaced-block', `${where}: \`${type}\` blocks can only be in \`user\` messages`);
  if (role !== 'assistant' && BY_ASSISTANT.includes(type))
    yield invalidRequest(path, 'misplaced-block', `${where}: \`${type}\` blocks can only be in \`assistant\` messages`);
}

/** Stricter than the server, which lets blanks stand beside other text: what passes here passes there. */
export function* checkText(block: Fields, path: string): Problems {
  if (typeof block.text !== 'string') return yield missingField(`${path}.text.text`, 'empty-text');
  const where = path.split('.')[0]!;
  if (block.text === '') yield invalidRequest(path, 'empty-text', `${where}: text content blocks must be non-empty`);
  else if (isBlank(block.text))
    yield invalidRequest(path, 'empty-text', `${where}: text content blocks must contain non-whitespace text`);
}

function* checkCall({ id, name, input }: Fields, path: string): Problems {
  if (typeof id !== 'string') yield missingField(`${path}.tool_use.id`, 'call-id');
  else if (!CALL_ID.test(id))
    yield schemaProblem(`${path}.tool_use.id`, 'call-id', `String should match pattern '${CALL_ID.source}'`);
  if (typeof name !== 'string') yield missingField(`${path}.tool_use.name`, 'call-name');
  else if (name === '')
    yield schemaProblem(`${path}.tool_use.name`, 'call-name', 'String should have at least 1 character');
  else if (!CALL_NAME.test(name))
    yield schemaProblem(`${path}.tool_use.name`, 'call-name', `String should match pattern '${CALL_NAME.source}'`);
  if (!isFields(input))
    yield schemaProblem(`${path}.tool_use.input`, 'call-input', 'Input should be a valid dictionary');
}

function* checkResult(block: Fields, path: string): Problems {
  if (typeof block.tool_use_id !== 'string') yield missingField(`${path}.tool_result.tool_use_id`, 'result-id');
  const { content } = block;
  if (block.is_error === true && (!isPresent(content) || content === '' || isEmptyList(content)))
    yield schemaProblem(`${path}.tool_result`, 'empty-error', 'content cannot be empty if `is_error` is true');
  for (const [i, piece] of asList(content).entries()) {
    const at = `${path}.content.${i}`;
    const { type } = asFields(piece);
    if (typeof type !== 'string') yield missingField(`${path}.tool_result.content.${i}.type`, 'not-a-block');
    if (type === 'text') yield* checkText(asFields(piece), at);
    else if (block.is_error === true)
      yield invalidRequest(at, 'error-content', `${path}: all content must be type "text" if "is_error" is true`);
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function* checkThinking(block: Fields, type: string, path: string): Problems {
  for (const key of type === 'thinking' ? ['thinking', 'signature'] : ['data'])
    if (typeof block[key] !== 'string') yield missingField(`${path}.${type}.${key}`, 'thinking-signature');
  if (block[type === 'thinking' ? 'signature' : 'data'] === '')
    yield invalidRequest(path, 'thinking-signature', `${path}: Invalid \`signature\` in \`thinking\` block`);
  if (isFields(block.cache_control))
    yield schemaProblem(`${path}.${type}.cache_control`, 'breakpoint-on-thinking', 'Extra inputs are not permitted');
}
