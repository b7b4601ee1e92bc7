import { asFields, asList, asNumber, asString, type Fields, isFields, omitFields } from '@palimpsest/core/json';
import type { Prepared } from '../api/api.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { countTokens, makeSegments, type PromptBlock, type Segment } from '../prompt/prompt.ts';
import { isAnswer, listItems, typeOf } from './items.ts';
import type { ResponsesMemory } from './memory.ts';

export interface ResponsesPrepared extends Prepared {
  /** The whole conversation as items, what the server held first. */
  readonly items: readonly Fields[];
  readonly showsSummary: boolean;
  /** The namespace of each function that is in one; a call names it. */
  readonly namespaces: ReadonlyMap<string, string>;
}

export function prepareResponses(
  body: Fields,
  model: SimModel,
  counter: Counter,
  memory: ResponsesMemory,
): ResponsesPrepared {
  const items = [...memory.findHeld(body), ...memory.resolve(listItems(body.input))];
  memory.notice(items);
  const tools = asList(body.tools).map(asFields);
  const functions = listFunctions([...tools, ...items.filter(hasTools).flatMap((item) => asList(item.tools))]);
  const instructions = asString(body.instructions);
  const head: readonly PromptBlock[] = [
    ...tools.map((block) => ({ run: 'tools', block })),
    ...(instructions === undefined ? [] : [{ run: 'system', block: { text: instructions } }]),
  ];
  const segments = makeSegments([...head, ...items.map(makePromptBlock)], counter);
  const reasoning = asFields(body.reasoning);
  return {
    segments: body.truncation === 'auto' ? truncate(segments, head.length, model.window) : segments,
    maxOutput: asNumber(body.max_output_tokens) ?? model.maxOutput,
    stream: body.stream === true,
    thinks: isFields(body.reasoning) && reasoning.effort !== 'none',
    tools: functions.map(({ name }) => name),
    namespaces: new Map(
      functions.flatMap(({ name, namespace }) => (namespace === undefined ? [] : [[name, namespace]])),
    ),
    conversation: { ...omitFields(body, 'previous_response_id'), input: items },
    items,
    showsSummary: typeof reasoning.summary === 'string',
  };
}

/** codex sends its newest models their tools in an item of the input, grouped in namespaces. */
const hasTools = (item: Fields): boolean => typeOf(item) === 'additional_tools';

function listFunctions(
  tools: readonly unknown[],
  namespace?: string,
): readonly { readonly name: string; readonly namespace: string | undefined }[] {
  return tools.map(asFields).flatMap(({ type, name, tools: inner }) => {
    if (type === 'namespace') return listFunctions(asList(inner), asString(name));
    return type === 'function' && typeof name === 'string' ? [{ name, namespace }] : [];
  });
}

/** The oldest items go first; tools and instructions stay. */
function truncate(segments: readonly Segment[], head: number, window: number): readonly Segment[] {
  let tokens = countTokens(segments);
  let from = head;
  while (tokens > window && from < segments.length - 1) tokens -= segments[from++]!.tokens;
  return [...segments.slice(0, head), ...segments.slice(from)];
}

/** Ids and states address an item; they are no part of what the model reads. */
function makePromptBlock(item: Fields): PromptBlock {
  const type = typeOf(item);
  const run = type === 'message' ? String(item.role) : hasTools(item) ? 'tools' : isAnswer(item) ? 'tool' : 'assistant';
  const { content } = item;
  const block = omitFields(item, 'id', 'status', 'role', 'type');
  const kind = item.role === 'assistant' ? 'output_text' : 'input_text';
  return { run, block: typeof content === 'string' ? { ...block, content: [{ type: kind, text: content }] } : block };
}
