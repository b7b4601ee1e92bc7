import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { bytesOf, checkCharacters, checkToolNames, type Finds, violation } from '../body/violations.ts';
import type { ValidateOptions, Violation } from '../wire.ts';
import { isPartial, type ResponsesBody } from './body.ts';
import { CALL_KINDS, isOfAssistant, isOutput, isSpelled } from './items.ts';
import { CALL_ID, TOOL_NAME } from './mend.ts';
import { itemsIn } from './read.ts';

const MAX_CHARS = 10_485_760;
export const MAX_BYTES = 50 * 1024 * 1024;
const ROLES = ['user', 'assistant', 'system', 'developer'];

export const validate = (body: ResponsesBody, options: ValidateOptions<ResponsesBody> = {}): readonly Violation[] => [
  ...check(body, options),
];

function* check(body: ResponsesBody, { previous }: ValidateOptions<ResponsesBody>): Finds {
  yield* checkCharacters(body);
  yield* checkToolNames(listTools(body), TOOL_NAME);
  const items = itemsIn(body.input);
  const held = ['previous_response_id', 'conversation', 'prompt'].some(
    (key) => ((body as Fields)[key] ?? null) !== null,
  );
  if ((body.input === '' || items.length === 0) && !held)
    yield violation(
      'input',
      'input-empty',
      "One of 'input', 'previous_response_id', 'prompt' or 'conversation' must be provided.",
    );
  if (bytesOf(body) > MAX_BYTES)
    yield violation('', 'too-many-bytes', `The request is larger than ${MAX_BYTES} bytes.`);
  for (const [i, item] of items.entries()) yield* checkItem(item, `input.${i}`, i === items.length - 1);
  const list = items.map(asFields);
  yield* checkIds(list);
  yield* checkPairs(list, isPartial(body));
  yield* checkReasoning(list);
  if (previous !== undefined) yield* checkOrphans(list, itemsIn(previous.input).map(asFields));
}

const listTools = (body: ResponsesBody): readonly (readonly [string, unknown])[] =>
  asList(body.tools).flatMap((tool, i) => {
    const { type, name } = asFields(tool);
    return type === 'function' || type === 'custom' ? [[`tools.${i}.name`, name] as const] : [];
  });

const typeOf = (item: Fields): string =>
  asString(item.type) ?? (typeof item.role === 'string' ? 'message' : 'item_reference');

function* checkItem(given: unknown, path: string, isLast: boolean): Finds {
  if (!isFields(given)) return yield violation(path, 'not-an-item', `${path}: expected an object`);
  const type = typeOf(given);
  if (type === 'message') return yield* checkMessage(given, path);
  if (type === 'compaction' && (asString(given.encrypted_content) ?? '') === '')
    yield violation(path, 'empty-compaction', `Missing required parameter: '${path}.encrypted_content'.`);
  if (type === 'compaction_trigger' && !isLast)
    yield violation(path, 'trigger-order', `${path}: a compaction_trigger must be the final input item`);
  if (type === 'item_reference' && typeof given.id !== 'string')
    yield violation(path, 'not-an-item', `${path}: an item needs a type, a role or an id`);
  if (type in CALL_KINDS && given.execution !== 'server') yield* checkCall(given, type, path);
  if (isOutput(type) && typeof given.output === 'string' && given.output.length > MAX_CHARS)
    yield violation(path, 'too-many-chars', `Invalid '${path}.output': string too long.`);
}

function* checkMessage({ role, content }: Fields, path: string): Finds {
  if (!ROLES.includes(String(role))) return yield violation(path, 'unknown-role', `Invalid value: '${String(role)}'.`);
  if (typeof content === 'string') {
    if (content.length > MAX_CHARS)
      yield violation(path, 'too-many-chars', `Invalid '${path}.content': string too long.`);
    return;
  }
  if (asList(content).length === 0)
    return yield violation(
      path,
      'empty-content',
      `Invalid '${path}.content': expected a string or a list with content.`,
    );
  for (const [i, piece] of asList(content).entries()) {
    const type = asString(asFields(piece).type) ?? '';
    const isOut = type === 'output_text' || type === 'refusal';
    if ((role === 'assistant') !== isOut)
      yield violation(
        `${path}.content.${i}`,
        'misplaced-block',
        `Invalid value: '${type}' in a message of role ${role}.`,
      );
  }
}

function* checkCall(item: Fields, type: string, path: string): Finds {
  const kind = CALL_KINDS[type]!;
  const id = asString(type === 'mcp_approval_request' ? item.id : item.call_id);
  // A search for tools that names no call was the server's.
  if (id === undefined && type === 'tool_search_call') return;
  if (id === undefined || id === '' || id.length > CALL_ID.maxChars)
    yield violation(
      path,
      'call-id',
      `Invalid '${path}.call_id': a string of 1 to ${CALL_ID.maxChars} characters was expected.`,
    );
  if (kind.tool === undefined && !TOOL_NAME.test(asString(item.name) ?? ''))
    yield violation(path, 'call-name', `Invalid '${path}.name': string does not match pattern '${TOOL_NAME.source}'.`);
  const field = kind.input.find((key) => item[key] !== undefined);
  if (field === undefined || ((isSpelled(type) || field === 'input') && typeof item[field] !== 'string'))
    yield violation(path, 'call-input', `Invalid type for '${path}.${kind.input[0]}'.`);
}

function* checkIds(items: readonly Fields[]): Finds {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    // A local shell's output bears the id of its call.
    if (typeof item.id !== 'string' || item.type === 'local_shell_call_output') continue;
    if (seen.has(item.id)) yield violation(`input.${i}`, 'duplicate-id', `Duplicate item found with id ${item.id}.`);
    seen.add(item.id);
  }
}

interface Open {
  readonly at: number;
  readonly output: string;
  readonly names: readonly unknown[];
}

/** Every call has its answer of the right kind behind it, and every answer its call before it. */
function* checkPairs(items: readonly Fields[], partial: boolean): Finds {
  let open: readonly Open[] = [];
  let closed: readonly Open[] = [];
  for (const [at, item] of items.entries()) {
    const type = typeOf(item);
    const path = `input.${at}`;
    const call = callOf(item, type, at);
    if (call !== undefined) {
      const isTwin = (other: Open): boolean => call.names.some((name) => isAnswerTo(other, call.output, name));
      if (open.some(isTwin) || closed.some(isTwin))
        yield violation(path, 'duplicate-call', `${path}: a call of this id was made before`);
      open = [...open, call];
      closed = closed.filter((other) => !isTwin(other));
    }
    if (!isOutput(type) || item.execution === 'server') continue;
    const name = item.call_id ?? item.approval_request_id ?? item.id;
    const answered = open.find((other) => isAnswerTo(other, type, name));
    if (answered !== undefined) {
      open = open.filter((other) => other !== answered);
      closed = [...closed, answered];
    } else if (closed.some((other) => isAnswerTo(other, type, name)))
      yield violation(path, 'duplicate-result', `${path}: the call ${name} was answered before`);
    else if (!partial && typeof name === 'string')
      yield violation(path, 'result-without-call', `No tool call found for ${type} with call_id ${name}.`);
  }
  for (const { at, output, names } of open)
    if (output !== 'mcp_approval_response')
      yield violation(
        `input.${at}`,
        'call-without-result',
        `No tool output found for ${typeOf(items[at]!)} ${names[0]}.`,
      );
}

function callOf(item: Fields, type: string, at: number): Open | undefined {
  const kind = CALL_KINDS[type];
  if (kind === undefined || item.execution === 'server') return undefined;
  const ids =
    type === 'mcp_approval_request'
      ? [item.id]
      : type === 'local_shell_call'
        ? [item.call_id, item.id]
        : [item.call_id];
  const names = ids.filter((id) => typeof id === 'string');
  return names.length === 0 ? undefined : { at, output: kind.output, names };
}

/** A local shell's call is also answered like a function's. */
const isAnswerTo = (call: Open, output: string, name: unknown): boolean =>
  call.names.includes(name) &&
  (call.output === output || (call.output === 'local_shell_call_output' && output === 'function_call_output'));

/** "… was provided without its required following item". */
function* checkReasoning(items: readonly Fields[]): Finds {
  for (const [i, item] of items.entries()) {
    if (typeOf(item) !== 'reasoning') continue;
    const next = items[i + 1];
    const type = next === undefined ? '' : typeOf(next);
    const follows = type === 'message' ? next!.role === 'assistant' : type !== '' && isOfAssistant(type);
    if (!follows)
      yield violation(
        `input.${i}`,
        'reasoning-alone',
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
      );
  }
}

/** What followed a reasoning item in the body before and still bears its id needs that item. */
function* checkOrphans(items: readonly Fields[], before: readonly Fields[]): Finds {
  const needs = new Map<unknown, unknown>();
  for (const [i, item] of before.entries())
    if (typeof item.id === 'string' && before[i - 1]?.type === 'reasoning') needs.set(item.id, before[i - 1]!.id);
  const present = new Set(items.map((item) => item.id));
  for (const [i, item] of items.entries()) {
    const reasoning = needs.get(item.id);
    if (typeof reasoning === 'string' && !present.has(reasoning))
      yield violation(
        `input.${i}`,
        'reasoning-missing',
        `Item '${item.id}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${reasoning}'.`,
      );
  }
}
