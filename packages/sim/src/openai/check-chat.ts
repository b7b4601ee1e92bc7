import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { type Problem, type Problems, takeFirst } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import { checkTools } from './check-tools.ts';
import {
  badName,
  emptyArray,
  invalidRequest,
  longArray,
  longString,
  missingParameter,
  spellParam,
  wrongType,
  wrongValue,
} from './problems.ts';

// As OpenAI's own errors state them.
const MAX_MESSAGES = 2_048;
const MAX_CALLS = 128;
const MAX_CALL_ID = 40;
const MAX_CHARS = 10_485_760;
const CALL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const PIECES: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};

/** The parameters of `POST /v1/chat/completions`, the SDK's own list. */
const PARAMETERS = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens
  metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream
  stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

export const checkChat = (body: unknown, model: SimModel | undefined): Problem | undefined =>
  takeFirst(check(body, model));

function* check(body: unknown, model: SimModel | undefined): Problems {
  if (!isFields(body))
    return yield invalidRequest('', 'not-an-object', 'Invalid type: expected an object.', 'invalid_type');
  if (!isPresent(body.model))
    yield { status: 400, path: 'model', rule: 'model-missing', message: 'you must provide a model parameter' };
  for (const key of Object.keys(body))
    if (!PARAMETERS.has(key))
      yield {
        status: 400,
        path: key,
        rule: 'unknown-parameter',
        message: `Unrecognized request argument supplied: ${key}`,
      };
  yield* checkLimits(body, model);
  yield* checkTools(body.tools, 'chat');
  yield* checkFunctions(body.functions);
  const { messages } = body;
  if (!isPresent(messages)) return yield missingParameter('messages', 'messages-missing');
  if (!Array.isArray(messages)) return yield wrongType('messages', 'messages-missing', 'an array of objects', messages);
  if (messages.length === 0) return yield emptyArray('messages', 'messages-empty');
  if (messages.length > MAX_MESSAGES)
    return yield longArray('messages', 'too-many-messages', MAX_MESSAGES, messages.length);
  for (const [m, message] of messages.entries()) yield* checkMessage(message, `messages.${m}`);
  yield* checkPairs(messages.map(asFields));
  if (model?.alternates === true) yield* checkAlternation(messages.map(asFields));
}

/** Tools of the old kind. */
function* checkFunctions(functions: unknown): Problems {
  for (const [i, { name }] of asList(functions).map(asFields).entries())
    if (typeof name !== 'string') yield missingParameter(`functions.${i}.name`, 'tool-name');
    else if (!CALL_NAME.test(name)) yield badName(`functions.${i}.name`, 'tool-name');
}

function* checkLimits(body: Fields, model: SimModel | undefined): Problems {
  for (const key of ['max_completion_tokens', 'max_tokens']) {
    const value = body[key];
    if (!isPresent(value)) continue;
    if (!Number.isInteger(value)) yield wrongType(key, 'max-tokens', 'an integer', value);
    else if (model !== undefined && (value as number) > model.maxOutput)
      yield invalidRequest(
        key,
        'max-tokens',
        `${key} is too large: ${value}. This model supports at most ${model.maxOutput} completion tokens, whereas you provided ${value}.`,
        'invalid_value',
      );
  }
}

function* checkMessage(message: unknown, path: string): Problems {
  if (!isFields(message)) return yield wrongType(path, 'not-a-message', 'an object', message);
  const role = asString(message.role);
  if (role === undefined) return yield missingParameter(`${path}.role`, 'unknown-role');
  if (!ROLES.includes(role)) return yield wrongValue(`${path}.role`, 'unknown-role', role, ROLES);
  yield* checkContent(message, role, path);
  if (role === 'tool' && typeof message.tool_call_id !== 'string')
    yield missingParameter(`${path}.tool_call_id`, 'result-id');
  if (message.tool_calls !== undefined) yield* checkCalls(message, role, path);
}

function* checkContent(message: Fields, role: string, path: string): Problems {
  const { content } = message;
  const at = `${path}.content`;
  if (typeof content === 'string') {
    if (content.length > MAX_CHARS) yield longString(at, 'too-many-chars', MAX_CHARS, content.length);
  } else if (Array.isArray(content)) {
    if (content.length === 0) yield emptyArray(at, 'empty-content');
    for (const [i, piece] of content.entries()) {
      const type = asString(asFields(piece).type);
      if (type === undefined) yield missingParameter(`${at}.${i}.type`, 'not-a-block');
      const supported = PIECES[role] ?? ['text'];
      if (type !== undefined && !supported.includes(type))
        yield wrongValue(`${at}.${i}.type`, 'misplaced-block', type, supported);
      if (type === 'text' && typeof asFields(piece).text !== 'string')
        yield missingParameter(`${at}.${i}.text`, 'not-a-block');
    }
  } else if (isPresent(content)) yield wrongType(at, 'empty-content', 'one of a string or array of objects', content);
  else if (!maySayNothing(message, role))
    yield invalidRequest(at, 'empty-content', "Invalid value for 'content': expected a string, got null.");
}

const maySayNothing = (message: Fields, role: string): boolean =>
  role === 'function' ||
  (role === 'assistant' && ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => isPresent(message[key])));

function* checkCalls(message: Fields, role: string, path: string): Problems {
  const at = `${path}.tool_calls`;
  if (role !== 'assistant')
    return yield invalidRequest(at, 'misplaced-block', `Unknown parameter: '${spellParam(at)}'.`, 'unknown_parameter');
  const calls = message.tool_calls;
  if (!Array.isArray(calls)) return yield wrongType(at, 'empty-calls', 'an array of objects', calls);
  if (calls.length === 0) yield emptyArray(at, 'empty-calls');
  if (calls.length > MAX_CALLS) yield longArray(at, 'too-many-calls', MAX_CALLS, calls.length);
  const seen = new Set<unknown>();
  for (const [i, call] of calls.map(asFields).entries()) {
    const one = `${at}.${i}`;
    if (typeof call.id !== 'string' || call.id === '') yield missingParameter(`${one}.id`, 'call-id');
    else if (call.id.length > MAX_CALL_ID) yield longString(`${one}.id`, 'call-id', MAX_CALL_ID, call.id.length);
    if (seen.has(call.id))
      yield invalidRequest(
        `${one}.id`,
        'duplicate-call',
        `Invalid '${spellParam(one)}.id': duplicate tool call id '${String(call.id)}'.`,
        'invalid_value',
      );
    seen.add(call.id);
    const isCustom = call.type === 'custom';
    const kind = isCustom ? 'custom' : 'function';
    const made = asFields(call[kind]);
    if (typeof made.name !== 'string') yield missingParameter(`${one}.${kind}.name`, 'call-name');
    else if (!CALL_NAME.test(made.name)) yield badName(`${one}.${kind}.name`, 'call-name');
    const input = isCustom ? 'input' : 'arguments';
    if (typeof made[input] !== 'string')
      yield wrongType(`${one}.${kind}.${input}`, 'call-input', 'a string', made[input]);
  }
}

/** Directly behind the message with the calls come their answers, one each, and nothing else does. */
function* checkPairs(messages: readonly Fields[]): Problems {
  let asked = new Set<unknown>();
  let waiting = new Set<unknown>();
  for (const [m, message] of [...messages, {} as Fields].entries()) {
    const path = `messages.${m}`;
    // The role of the message at fault is written with a dot before the bracket.
    const at = { status: 400, path, param: `messages.[${m}].role` };
    if (message.role === 'tool') {
      if (!asked.has(message.tool_call_id))
        yield {
          ...at,
          rule: 'result-without-call',
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        };
      else if (!waiting.delete(message.tool_call_id))
        yield {
          ...at,
          rule: 'duplicate-result',
          message: `Duplicate value for 'tool_call_id' of '${String(message.tool_call_id)}' in messages.[${m}].`,
        };
      continue;
    }
    if (waiting.size > 0)
      yield {
        ...at,
        rule: 'call-without-result',
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...waiting].join(', ')}`,
      };
    if (message.role === 'function' && !isFields(messages[m - 1]?.function_call))
      yield {
        ...at,
        rule: 'result-without-call',
        message:
          "Invalid parameter: messages with role 'function' must be a response to a preceding message with 'function_call'.",
      };
    asked = new Set(asList(message.tool_calls).map((call) => asFields(call).id));
    waiting = new Set(asked);
  }
}

/** As the stricter chat templates raise it. */
function* checkAlternation(messages: readonly Fields[]): Problems {
  let last = '';
  for (const [m, { role }] of messages.entries()) {
    const kind = role === 'tool' || role === 'function' ? 'tool' : role === 'developer' ? 'system' : String(role);
    const path = `messages.${m}`;
    const fault =
      kind === 'system'
        ? m > 0 && last !== ''
          ? 'System message must be at the beginning.'
          : undefined
        : last === '' && kind !== 'user'
          ? 'Conversation roles must alternate user/assistant/user/assistant/...'
          : (kind === last && kind !== 'tool') || (last === 'tool' && kind === 'user')
            ? 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
            : undefined;
    if (fault !== undefined)
      yield { status: 400, path, rule: 'alternation', message: fault, type: 'BadRequestError', code: '400' };
    if (kind !== 'system') last = kind;
  }
}
