import { asFields, asList, asString, type Fields, isBlank, isFields } from '@palimpsest/core/json';
import { type Finds, violation } from '../body/violations.ts';
import { CALL_ID, isSilentError, TOOL_NAME } from './mend.ts';

const OF_ASSISTANT = ['tool_use', 'thinking', 'redacted_thinking', 'server_tool_use', 'mcp_tool_use'];
const OF_USER = ['tool_result', 'image', 'document', 'search_result', 'container_upload'];
const OF_SYSTEM = ['text', 'tool_addition', 'tool_removal'];

/** The rules of one block, apart from its neighbours. */
export function* checkBlock(block: unknown, path: string, role: string): Finds {
  if (!isFields(block) || typeof block.type !== 'string')
    return yield violation(path, 'not-a-block', `${path}: a content block needs a type`);
  const { type } = block;
  if (!isAllowed(type, role))
    return yield violation(
      path,
      'misplaced-block',
      `${path}: \`${type}\` blocks are not permitted in ${role} messages`,
    );
  if (type === 'text') yield* checkText(block, path);
  if (type === 'tool_use') yield* checkCall(block, path);
  if (type === 'tool_result') yield* checkResult(block, path);
  if (type === 'compaction' && block.content === '')
    yield violation(path, 'empty-compaction', `${path}: compaction content may be null but not empty`);
  const signature = type === 'thinking' ? 'signature' : type === 'redacted_thinking' ? 'data' : undefined;
  if (signature !== undefined && (asString(block[signature]) ?? '') === '')
    yield violation(path, 'thinking-signature', `${path}.${type}.${signature}: Field required`);
}

const isAllowed = (type: string, role: string): boolean =>
  role === 'system' ? OF_SYSTEM.includes(type) : !(role === 'user' ? OF_ASSISTANT : OF_USER).includes(type);

function* checkText(block: Fields, path: string): Finds {
  if (typeof block.text !== 'string') return yield violation(path, 'empty-text', `${path}.text.text: Field required`);
  if (!isBlank(block.text)) return;
  const want = block.text === '' ? 'be non-empty' : 'contain non-whitespace text';
  yield violation(path, 'empty-text', `${path}: text content blocks must ${want}`);
}

function* checkCall(block: Fields, path: string): Finds {
  if (!CALL_ID.pattern.test(asString(block.id) ?? ''))
    yield violation(path, 'call-id', `${path}.tool_use.id: String should match pattern '${CALL_ID.pattern.source}'`);
  if (!TOOL_NAME.test(asString(block.name) ?? ''))
    yield violation(path, 'call-name', `${path}.tool_use.name: String should match pattern '${TOOL_NAME.source}'`);
  if (!isFields(block.input))
    yield violation(path, 'call-input', `${path}.tool_use.input: Input should be a valid dictionary`);
}

function* checkResult(block: Fields, path: string): Finds {
  if (isSilentError(block))
    yield violation(path, 'empty-error', `${path}.tool_result: content cannot be empty if \`is_error\` is true`);
  for (const [i, piece] of asList(block.content).entries()) {
    const at = `${path}.content.${i}`;
    if (asFields(piece).type === 'text') yield* checkText(asFields(piece), at);
    else if (block.is_error === true)
      yield violation(at, 'error-content', `${path}: all content must be type "text" if "is_error" is true`);
  }
}
