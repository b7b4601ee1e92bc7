import type { Prepared } from '../api/api.ts';
import { asFields, asList, asNumber, asString, type Fields, isFields, without } from '../json.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { type Piece, type Segment, segmentsOf, tokensIn } from '../prompt/prompt.ts';
import { isAnswer, itemsIn, typeOf } from './items.ts';
import type { ResponsesMemory } from './memory.ts';

export interface ResponsesPrepared extends Prepared {
  /** The whole conversation as items, what the server held first. */
  readonly items: readonly Fields[];
  readonly showsSummary: boolean;
}

export function prepareResponses(
  body: Fields,
  model: SimModel,
  counter: Counter,
  memory: ResponsesMemory,
): ResponsesPrepared {
  const items = [...memory.held(body), ...memory.resolved(itemsIn(body.input))];
  memory.notice(items);
  const tools = asList(body.tools).map(asFields);
  const instructions = asString(body.instructions);
  const head: readonly Piece[] = [
    ...tools.map((block) => ({ run: 'tools', block })),
    ...(instructions === undefined ? [] : [{ run: 'system', block: { text: instructions } }]),
  ];
  const segments = segmentsOf([...head, ...items.map(pieceOf)], counter);
  const reasoning = asFields(body.reasoning);
  return {
    segments: body.truncation === 'auto' ? truncated(segments, head.length, model.window) : segments,
    maxOutput: asNumber(body.max_output_tokens) ?? model.maxOutput,
    stream: body.stream === true,
    thinks: isFields(body.reasoning) && reasoning.effort !== 'none',
    tools: tools.flatMap(({ type, name }) => (type === 'function' && typeof name === 'string' ? [name] : [])),
    conversation: { ...without(body, 'previous_response_id'), input: items },
    items,
    showsSummary: typeof reasoning.summary === 'string',
  };
}

/** The oldest items go first; tools and instructions stay. */
function truncated(segments: readonly Segment[], head: number, window: number): readonly Segment[] {
  let tokens = tokensIn(segments);
  let from = head;
  while (tokens > window && from < segments.length - 1) tokens -= segments[from++]!.tokens;
  return [...segments.slice(0, head), ...segments.slice(from)];
}

/** Ids and states address an item; they are no part of what the model reads. */
function pieceOf(item: Fields): Piece {
  const type = typeOf(item);
  const run = type === 'message' ? String(item.role) : isAnswer(item) ? 'tool' : 'assistant';
  const { content } = item;
  const block = without(item, 'id', 'status', 'role', 'type');
  const kind = item.role === 'assistant' ? 'output_text' : 'input_text';
  return { run, block: typeof content === 'string' ? { ...block, content: [{ type: kind, text: content }] } : block };
}
