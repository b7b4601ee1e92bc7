import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { bytesOf, checkCharacters, checkToolNames, type Finds, violation } from '../body/violations.ts';
import type { Violation } from '../wire.ts';
import { CALL_ID, TOOL_NAME } from './mend.ts';
import { type ChatBody, isSystem } from './read.ts';

// The limits as OpenAI's own errors state them ("array too long. Expected an array with maximum length …").
export const MAX_MESSAGES = 2048;
const MAX_CALLS = 128;
const MAX_CHARS = 10_485_760;
export const MAX_BYTES = 50 * 1024 * 1024;
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

export const validate = (body: ChatBody): readonly Violation[] => [...check(body)];

export const validateAlternating = (body: ChatBody): readonly Violation[] => [
  ...check(body),
  ...checkAlternation(body),
];

function* check(body: ChatBody): Finds {
  yield* checkCharacters(body);
  yield* checkToolNames(listTools(body), TOOL_NAME);
  const messages: unknown = body.messages;
  if (!Array.isArray(messages))
    return yield violation('messages', 'messages-missing', "Missing required parameter: 'messages'.");
  if (messages.length === 0) yield violation('messages', 'messages-empty', "Invalid 'messages': empty array.");
  if (messages.length > MAX_MESSAGES)
    yield violation('messages', 'too-many-messages', `Invalid 'messages': array too long, at most ${MAX_MESSAGES}.`);
  if (bytesOf(body) > MAX_BYTES)
    yield violation('', 'too-many-bytes', `The request is larger than ${MAX_BYTES} bytes.`);
  for (const [m, message] of messages.entries()) yield* checkMessage(message, `messages.${m}`);
  yield* checkPairs(messages.map(asFields));
}

const listTools = (body: ChatBody): readonly (readonly [string, unknown])[] => [
  ...asList(body.tools).flatMap((tool, i) => {
    const { type, ...made } = asFields(tool);
    return type === 'function' || type === 'custom'
      ? [[`tools.${i}.${type}.name`, asFields(made[type]).name] as const]
      : [];
  }),
  ...asList(body.functions).map((made, i) => [`functions.${i}.name`, asFields(made).name] as const),
];

function* checkMessage(message: unknown, path: string): Finds {
  if (!isFields(message)) return yield violation(path, 'not-a-message', `${path}: expected an object`);
  const role = asString(message.role) ?? '';
  if (!ROLES.includes(role)) return yield violation(path, 'unknown-role', `${path}.role: invalid value '${role}'.`);
  yield* checkContent(message, role, path);
  if (message.tool_calls === undefined) return;
  const calls = asList(message.tool_calls);
  if (role !== 'assistant')
    return yield violation(path, 'misplaced-block', `${path}.tool_calls: only an assistant calls tools`);
  if (calls.length === 0) yield violation(path, 'empty-calls', `Invalid '${path}.tool_calls': empty array.`);
  if (calls.length > MAX_CALLS)
    yield violation(path, 'too-many-calls', `Invalid '${path}.tool_calls': array too long, at most ${MAX_CALLS}.`);
  const seen = new Set<unknown>();
  for (const [i, call] of calls.entries()) {
    const at = `${path}.tool_calls.${i}`;
    yield* checkCall(asFields(call), at);
    if (seen.has(asFields(call).id)) yield violation(at, 'duplicate-call', `${at}.id: used twice in one message`);
    seen.add(asFields(call).id);
  }
}

function* checkContent({ content, ...message }: Fields, role: string, path: string): Finds {
  if (typeof content === 'string') {
    if (content.length > MAX_CHARS)
      yield violation(path, 'too-many-chars', `Invalid '${path}.content': string too long.`);
    return;
  }
  if (Array.isArray(content)) {
    if (content.length === 0) yield violation(path, 'empty-content', `Invalid '${path}.content': empty array.`);
    for (const [i, piece] of content.entries()) yield* checkPiece(piece, role, `${path}.content.${i}`);
    return;
  }
  const says = ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => (message[key] ?? null) !== null);
  if (role === 'assistant' && says) return;
  if (role === 'function' && content === null) return;
  yield violation(path, 'empty-content', `Invalid value for '${path}.content': expected a string, got ${content}.`);
}

function* checkPiece(piece: unknown, role: string, path: string): Finds {
  const type = asString(asFields(piece).type);
  if (type === undefined) return yield violation(path, 'not-a-block', `${path}: a content part needs a type`);
  const allowed =
    role === 'user' ? type !== 'refusal' : type === 'text' || (role === 'assistant' && type === 'refusal');
  if (!allowed) yield violation(path, 'misplaced-block', `${path}: '${type}' is not taken in ${role} messages`);
}

function* checkCall(call: Fields, path: string): Finds {
  const id = asString(call.id) ?? '';
  if (id === '' || id.length > CALL_ID.maxChars)
    yield violation(
      path,
      'call-id',
      `Invalid '${path}.id': a string of 1 to ${CALL_ID.maxChars} characters was expected.`,
    );
  const made = call.type === 'custom' ? asFields(call.custom) : asFields(call.function);
  if (!TOOL_NAME.test(asString(made.name) ?? ''))
    yield violation(
      path,
      'call-name',
      `Invalid '${path}.function.name': string does not match pattern '${TOOL_NAME.source}'.`,
    );
  if (typeof (call.type === 'custom' ? made.input : made.arguments) !== 'string')
    yield violation(path, 'call-input', `Invalid type for '${path}.function.arguments': expected a string.`);
}

/** Every call is answered by the `tool` messages directly behind it, and by no others. */
function* checkPairs(messages: readonly Fields[]): Finds {
  let open = new Map<string, string>();
  let answered = new Set<string>();
  const checkOpenCalls = function* (): Finds {
    for (const [id, path] of open)
      yield violation(
        path,
        'call-without-result',
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${id}.`,
      );
    open = new Map();
  };
  for (const [m, message] of messages.entries()) {
    const id = asString(message.tool_call_id) ?? '';
    const path = `messages.${m}`;
    if (message.role !== 'tool') {
      yield* checkOpenCalls();
      answered = new Set();
      for (const [i, call] of asList(message.tool_calls).entries())
        open.set(asString(asFields(call).id) ?? '', `${path}.tool_calls.${i}`);
      if (message.role === 'function' && !isFields(messages[m - 1]?.function_call))
        yield violation(
          path,
          'result-without-call',
          "messages with role 'function' must follow a message with 'function_call'.",
        );
    } else if (answered.has(id)) yield violation(path, 'duplicate-result', `${path}: '${id}' was answered before.`);
    else if (open.delete(id)) answered.add(id);
    else
      yield violation(
        path,
        'result-without-call',
        `${path}: messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}.`,
      );
  }
  yield* checkOpenCalls();
}

/** As the stricter chat templates raise it. */
function* checkAlternation(body: ChatBody): Finds {
  let last = '';
  for (const [m, message] of asList(body.messages).entries()) {
    const role = asString(asFields(message).role) ?? '';
    const path = `messages.${m}`;
    const isTool = role === 'tool' || role === 'function';
    if (isSystem(role)) {
      if (last !== '') yield violation(path, 'alternation', `${path}: a system message may only stand first`);
      continue;
    }
    if (last === '' && role !== 'user') yield violation(path, 'first-role', `${path}: the user must begin`);
    else if (role === last && !isTool)
      yield violation(path, 'alternation', `${path}: roles must alternate user/assistant`);
    else if (last === 'tool' && role === 'user')
      yield violation(path, 'alternation', `${path}: unexpected role 'user' after role 'tool'`);
    last = isTool ? 'tool' : role;
  }
}
