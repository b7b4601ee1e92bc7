import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import type { Problems } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import { ITEM_TYPES, isAnswer, isOfServer, OUTPUTS, typeOf } from './items.ts';
import {
  badName,
  emptyArray,
  invalidRequest,
  longString,
  missingParameter,
  wrongType,
  wrongValue,
} from './problems.ts';

const MAX_CHARS = 10_485_760;
const MAX_CALL_ID = 64;
const ROLES = ['assistant', 'system', 'developer', 'user'];
const BY_ASSISTANT = ['output_text', 'refusal'];
const BY_OTHERS = ['input_text', 'input_image', 'input_file', 'input_audio'];

/** What one item must be, apart from its neighbours. */
export function* checkItem(item: unknown, path: string, isLast: boolean): Problems {
  if (!isFields(item)) return yield wrongType(path, 'not-an-item', 'an object', item);
  const type = typeOf(item);
  if (!ITEM_TYPES.includes(type)) return yield wrongValue(path, 'unknown-item', type, ITEM_TYPES);
  if (type === 'message') return yield* checkMessage(item, path);
  if (type === 'item_reference' && typeof item.id !== 'string') yield missingParameter(`${path}.type`, 'not-an-item');
  if (type === 'reasoning' && !Array.isArray(item.summary)) yield missingParameter(`${path}.summary`, 'reasoning');
  if (type === 'compaction' && (asString(item.encrypted_content) ?? '') === '')
    yield missingParameter(`${path}.encrypted_content`, 'empty-compaction');
  if (type === 'compaction_trigger' && !isLast)
    yield invalidRequest(path, 'trigger-order', 'A compaction_trigger must be the last item of the input.');
  if (type in OUTPUTS && !isOfServer(item)) yield* checkCall(item, type, path);
  if (isAnswer(item)) yield* checkAnswer(item, type, path);
}

function* checkMessage({ role, content }: Fields, path: string): Problems {
  if (!ROLES.includes(String(role))) return yield wrongValue(path, 'unknown-role', role, ROLES);
  if (typeof content === 'string') {
    if (content.length > MAX_CHARS) yield longString(`${path}.content`, 'too-many-chars', MAX_CHARS, content.length);
    return;
  }
  if (!isPresent(content)) return yield missingParameter(`${path}.content`, 'empty-content');
  if (!Array.isArray(content))
    return yield wrongType(`${path}.content`, 'empty-content', 'one of an array of objects or string', content);
  if (content.length === 0) return yield emptyArray(`${path}.content`, 'empty-content');
  const supported = role === 'assistant' ? BY_ASSISTANT : BY_OTHERS;
  for (const [i, piece] of content.entries()) {
    const { type, text } = asFields(piece);
    const at = `${path}.content.${i}`;
    if (typeof type !== 'string') yield missingParameter(`${at}.type`, 'not-a-block');
    else if (!supported.includes(type)) yield wrongValue(at, 'misplaced-block', type, supported);
    else if ((type === 'input_text' || type === 'output_text') && typeof text !== 'string')
      yield missingParameter(`${at}.text`, 'not-a-block');
  }
}

function* checkCall(item: Fields, type: string, path: string): Problems {
  const idKey =
    type === 'mcp_approval_request' || (type === 'local_shell_call' && !isPresent(item.call_id)) ? 'id' : 'call_id';
  const id = item[idKey];
  // A search for tools that names no call ran at the server.
  if (!isPresent(id) && type === 'tool_search_call') return;
  if (typeof id !== 'string' || id === '') yield missingParameter(`${path}.${idKey}`, 'call-id');
  else if (id.length > MAX_CALL_ID) yield longString(`${path}.${idKey}`, 'call-id', MAX_CALL_ID, id.length);
  if (type === 'function_call' || type === 'custom_tool_call') {
    const input = type === 'function_call' ? 'arguments' : 'input';
    if (typeof item.name !== 'string') yield missingParameter(`${path}.name`, 'call-name');
    else if (!/^[a-zA-Z0-9_-]{1,64}$/.test(item.name)) yield badName(`${path}.name`, 'call-name');
    if (typeof item[input] !== 'string') yield wrongType(`${path}.${input}`, 'call-input', 'a string', item[input]);
  }
  const what = { shell_call: 'action', local_shell_call: 'action', apply_patch_call: 'operation' }[type];
  if (what !== undefined && !isFields(item[what])) yield missingParameter(`${path}.${what}`, 'call-input');
}

function* checkAnswer(item: Fields, type: string, path: string): Problems {
  const idKey =
    type === 'mcp_approval_response'
      ? 'approval_request_id'
      : type === 'local_shell_call_output' && !isPresent(item.call_id)
        ? 'id'
        : 'call_id';
  if (typeof item[idKey] !== 'string' && type !== 'tool_search_output')
    yield missingParameter(`${path}.${idKey}`, 'result-id');
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    if (!isPresent(item.output)) yield missingParameter(`${path}.output`, 'result-output');
    else if (typeof item.output !== 'string' && !Array.isArray(item.output))
      yield wrongType(`${path}.output`, 'result-output', 'one of an array of objects or string', item.output);
  }
  if (typeof item.output === 'string' && item.output.length > MAX_CHARS)
    yield longString(`${path}.output`, 'too-many-chars', MAX_CHARS, item.output.length);
  for (const [i, piece] of asList(item.output).entries())
    if (typeof asFields(piece).type !== 'string' && type === 'function_call_output')
      yield missingParameter(`${path}.output.${i}.type`, 'not-a-block');
}
