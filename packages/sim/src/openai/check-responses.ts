import { asString, type Fields, isFields } from '@palimpsest/core/json';
import { type Problem, type Problems, takeFirst } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import { checkItem } from './check-items.ts';
import { checkTools } from './check-tools.ts';
import { isAnswer, isOfModel, isOfServer, listItems, OUTPUTS, spellType, typeOf } from './items.ts';
import type { ResponsesMemory } from './memory.ts';
import { invalidRequest, missingParameter, wrongType } from './problems.ts';

/** The parameters of `POST /v1/responses`: the SDK's own list, and `client_metadata`, which codex sends and the API takes. */
const PARAMETERS = new Set(
  `background client_metadata context_management conversation include input instructions max_output_tokens metadata model moderation
  parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning
  safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p
  truncation user`.split(/\s+/),
);

export const checkResponses = (
  body: unknown,
  model: SimModel | undefined,
  memory: ResponsesMemory,
): Problem | undefined => takeFirst(check(body, model, memory));

function* check(body: unknown, model: SimModel | undefined, memory: ResponsesMemory): Problems {
  if (!isFields(body))
    return yield invalidRequest('', 'not-an-object', 'Invalid type: expected an object.', 'invalid_type');
  if (!isPresent(body.model)) yield missingParameter('model', 'model-missing');
  for (const key of Object.keys(body))
    if (!PARAMETERS.has(key))
      yield invalidRequest(key, 'unknown-parameter', `Unknown parameter: '${key}'.`, 'unknown_parameter');
  yield* checkHeld(body, memory);
  const most = body.max_output_tokens;
  if (isPresent(most) && !Number.isInteger(most))
    yield wrongType('max_output_tokens', 'max-tokens', 'an integer', most);
  if (model !== undefined && typeof most === 'number' && most > model.maxOutput)
    yield invalidRequest(
      'max_output_tokens',
      'max-tokens',
      `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${model.maxOutput}, but got ${most} instead.`,
      'integer_above_max_value',
    );
  yield* checkTools(body.tools, 'responses');
  const { input } = body;
  if (isPresent(input) && typeof input !== 'string' && !Array.isArray(input))
    return yield wrongType('input', 'input-empty', 'one of an array of input items or string', input);
  const raw: readonly unknown[] = Array.isArray(input) ? input : listItems(input);
  for (const [i, item] of raw.entries()) yield* checkItem(item, `input.${i}`, i === raw.length - 1);
  const held = memory.findHeld(body);
  const items = listItems(input);
  if (items.length === 0 && held.length === 0)
    yield invalidRequest(
      'input',
      'input-empty',
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
      'missing_required_parameter',
    );
  yield* checkIds(items);
  const whole = [...held, ...memory.resolve(items)];
  const path = (i: number): string => (i < held.length ? 'previous_response_id' : `input.${i - held.length}`);
  yield* checkPairs(whole, path);
  yield* checkReasoning(whole, path, memory);
}

/** What the server is said to hold. */
function* checkHeld(body: Fields, memory: ResponsesMemory): Problems {
  const before = body.previous_response_id;
  if (isPresent(before) && !memory.hasResponse(String(before)))
    yield invalidRequest(
      'previous_response_id',
      'unknown-held',
      `Previous response with id '${String(before)}' not found.`,
      'previous_response_not_found',
    );
  for (const [key, name] of [
    ['conversation', 'Conversation'],
    ['prompt', 'Prompt'],
  ] as const) {
    const held = body[key];
    const id = typeof held === 'string' ? held : isFields(held) ? asString(held.id) : undefined;
    if (isPresent(held))
      yield { ...invalidRequest(key, 'unknown-held', `${name} with id '${id}' not found.`), status: 404 };
  }
  for (const [i, item] of listItems(body.input).entries())
    if (typeOf(item) === 'item_reference' && typeof item.id === 'string' && memory.findItem(item.id) === undefined)
      yield { ...invalidRequest(`input.${i}`, 'unknown-held', `Item with id '${item.id}' not found.`), status: 404 };
}

function* checkIds(items: readonly Fields[]): Problems {
  const seen = new Set<string>();
  for (const [i, { id }] of items.entries()) {
    if (typeof id !== 'string') continue;
    if (seen.has(id))
      yield {
        ...invalidRequest(
          `input.${i}`,
          'duplicate-id',
          `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        ),
        param: 'input',
      };
    seen.add(id);
  }
}

interface Open {
  readonly at: number;
  readonly item: Fields;
  readonly output: string;
}

/** A local shell's call is named by either id and may be answered like a function's. */
function isAnswerTo(open: Open, item: Fields): boolean {
  const type = typeOf(item);
  const isLocal = open.output === 'local_shell_call_output';
  if (type !== open.output && !(isLocal && type === 'function_call_output')) return false;
  const name = item.call_id ?? item.approval_request_id ?? item.id;
  const names = isLocal
    ? [open.item.call_id, open.item.id]
    : [typeOf(open.item) === 'mcp_approval_request' ? open.item.id : open.item.call_id];
  return names.includes(name);
}

function* checkPairs(items: readonly Fields[], path: (i: number) => string): Problems {
  const waiting: Open[] = [];
  const done: Open[] = [];
  for (const [at, item] of items.entries()) {
    const type = typeOf(item);
    const output = OUTPUTS[type];
    if (output !== undefined && !isOfServer(item) && isPresent(item.call_id ?? item.id)) {
      if (
        [...waiting, ...done].some(
          (other) => typeOf(other.item) === type && isPresent(item.call_id) && other.item.call_id === item.call_id,
        )
      )
        yield inputProblem(
          path(at),
          'duplicate-call',
          `Duplicate ${spellType(type)} with call_id ${String(item.call_id)}.`,
        );
      waiting.push({ at, item, output });
    }
    if (!isAnswer(item)) continue;
    const name = String(item.call_id ?? item.approval_request_id ?? item.id);
    const found = waiting.findIndex((open) => isAnswerTo(open, item));
    if (found >= 0) done.push(...waiting.splice(found, 1));
    else if (done.some((open) => isAnswerTo(open, item)))
      yield inputProblem(path(at), 'duplicate-result', `Duplicate ${spellType(type)} with call_id ${name}.`);
    else if (type !== 'tool_search_output' || isPresent(item.call_id))
      yield inputProblem(
        path(at),
        'result-without-call',
        `No tool call found for ${spellType(type)} with call_id ${name}.`,
      );
  }
  for (const { at, item, output } of waiting) {
    if (output === 'mcp_approval_response') continue;
    const name = String(item.call_id ?? item.id);
    yield inputProblem(path(at), 'call-without-result', `No tool output found for ${spellType(typeOf(item))} ${name}.`);
  }
}

const inputProblem = (path: string, rule: string, message: string): Problem => ({
  ...invalidRequest(path, rule, message),
  param: 'input',
});

/** Reasoning goes with the item behind it, and that item with its reasoning. */
function* checkReasoning(items: readonly Fields[], path: (i: number) => string, memory: ResponsesMemory): Problems {
  const present = new Set(items.map(({ id }) => id));
  for (const [i, item] of items.entries()) {
    const type = typeOf(item);
    const next = items[i + 1];
    if (type === 'reasoning' && (next === undefined || !isOfModel(next)))
      yield inputProblem(
        path(i),
        'reasoning-alone',
        `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`,
      );
    const needed = typeof item.id === 'string' ? memory.findReasoning(item.id) : undefined;
    if (needed !== undefined && !present.has(needed))
      yield inputProblem(
        path(i),
        'reasoning-missing',
        `Item '${String(item.id)}' of type '${type}' was provided without its required 'reasoning' item: '${needed}'.`,
      );
  }
}
