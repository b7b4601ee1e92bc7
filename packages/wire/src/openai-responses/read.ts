import type { CallPart, Json, Part } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { mark, messageFields, native, nativePart } from '../body/native.ts';
import type { Read } from '../body/splice.ts';
import { parseInput, spelling } from '../body/tool-arguments.ts';
import { RESPONSES, type ResponsesBody } from './body.ts';
import { CALL_KINDS, isOfAssistant, isOutput, isSpelled } from './items.ts';
import { readPieces } from './read-pieces.ts';
import { readResult } from './read-result.ts';

/** Which items a message was read from. */
export interface ItemRange {
  readonly from: number;
  readonly to: number;
}

export interface ResponsesReading {
  readonly items: readonly unknown[];
  /** So many system and developer items stand first: the system prompt. */
  readonly lead: number;
  readonly reads: readonly Read<ItemRange>[];
}

/** A string is short for one user message. */
export const itemsIn = (input: unknown): readonly unknown[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input);

const isSystem = (item: unknown): boolean => ['system', 'developer'].includes(String(asFields(item).role));

/** Items that the model wrote in a row are one message: reasoning, text and calls of one answer belong together. */
export function readItems(body: ResponsesBody): ResponsesReading {
  const items = itemsIn(body.input);
  const other = items.findIndex((item) => !isSystem(item));
  const lead = other < 0 ? items.length : other;
  const calls = new Map<string, string>();
  const reads: Read<ItemRange>[] = [];
  for (let i = lead; i < items.length; i++) {
    const read = readItem(items[i], calls);
    const last = reads.at(-1);
    if (last?.role !== 'assistant' || read.role !== 'assistant' || isAlone(last, items[i - 1], items[i]))
      reads.push({ ...read, parts: linkParts(read.parts, undefined), source: { from: i, to: i + 1 } });
    else
      reads[reads.length - 1] = {
        ...last,
        parts: [...last.parts, ...linkParts(read.parts, reasoningBefore(last.parts))],
        source: { from: last.source.from, to: i + 1 },
      };
  }
  return { items, lead, reads };
}

/** A compaction is a message of its own, so that it can be a boundary, unless calls before it still wait for results. */
const isAlone = (last: Read<ItemRange>, before: unknown, item: unknown): boolean =>
  [before, item].some((one) => asFields(one).type === 'compaction') && last.parts.every((part) => part.type !== 'call');

/** The id of the reasoning item that an item goes with: the server refuses the one's id without the other. */
function reasoningBefore(parts: readonly Part[]): unknown {
  const part = parts.findLast((one) => one.type === 'reasoning');
  return part === undefined ? undefined : asFields(asFields(asFields(part.native)[RESPONSES]).item).id;
}

const linkParts = (parts: readonly Part[], after: unknown): readonly Part[] =>
  typeof after !== 'string'
    ? parts
    : parts.map((part) =>
        part.type === 'text' || part.type === 'call'
          ? { ...part, ...mark(RESPONSES, { ...asFields(asFields(part.native)[RESPONSES]), after }) }
          : part,
      );

type Readable = Pick<Read<ItemRange>, 'role' | 'origin' | 'parts'>;

/** `calls` collects the ids of items that carry a call, for answers that name the item and not the call. */
function readItem(item: unknown, calls: Map<string, string>): Readable {
  if (!isFields(item)) return { role: 'user', origin: 'harness', parts: [nativePart(RESPONSES, item)] };
  const type = asString(item.type) ?? (typeof item.role === 'string' ? 'message' : 'item_reference');
  if (type === 'message' && typeof item.role === 'string') return readMessage(item, item.role);
  const call = readCall(item, type);
  if (call !== undefined) {
    if (typeof item.id === 'string') calls.set(item.id, call.callId);
    return { role: 'assistant', origin: 'model', parts: [call] };
  }
  if (type === 'reasoning') return { role: 'assistant', origin: 'model', parts: [readReasoning(item)] };
  const result = isOutput(type) ? readResult(item, type, calls) : undefined;
  if (result !== undefined) return { role: 'user', origin: 'tool', parts: [result] };
  const block = nativePart(RESPONSES, item);
  return isOfAssistant(type)
    ? { role: 'assistant', origin: 'model', parts: [block] }
    : { role: 'user', origin: 'harness', parts: [block] };
}

function readMessage(item: Fields, role: string): Readable {
  if (role === 'assistant') return { role, origin: 'model', parts: readAssistant(item) };
  const fields = omitFields(item, 'type', 'content', ...(role === 'user' ? ['role'] : []));
  const parts = [...messageFields(RESPONSES, fields), ...readPieces(item.content)];
  return { role: 'user', origin: role === 'user' ? 'human' : 'harness', parts };
}

/** Each piece remembers its item, so that pieces of one item become one item again. */
function readAssistant(item: Fields): readonly Part[] {
  const own = omitFields(item, 'type', 'role', 'content');
  const pieces =
    typeof item.content === 'string' ? [{ type: 'output_text', text: item.content }] : asList(item.content);
  return pieces.flatMap((given): readonly Part[] => {
    const piece = asFields(given);
    const isText = (piece.type === 'output_text' || piece.type === 'input_text') && typeof piece.text === 'string';
    if (!isText) return [nativePart(RESPONSES, { ...omitFields(item, 'content'), content: [given] })];
    if (isBlank(String(piece.text))) return [];
    const rest = omitFields(piece, 'type', 'text', 'prompt_cache_breakpoint');
    const ofItem = Object.keys(own).length === 0 ? {} : { item: own };
    return [{ type: 'text', text: String(piece.text), ...native(RESPONSES, { ...rest, ...ofItem }) }];
  });
}

function readReasoning(item: Fields): Part {
  const said = [...asList(item.summary), ...asList(item.content)].map((one) => asString(asFields(one).text) ?? '');
  const signature = asString(item.encrypted_content);
  const rest = omitFields(item, 'type', ...(signature === undefined ? [] : ['encrypted_content']));
  const signed = signature === undefined ? {} : { signature };
  return { type: 'reasoning', text: said.join('\n'), ...signed, ...mark(RESPONSES, { item: rest }) };
}

function readCall(item: Fields, type: string): CallPart | undefined {
  const kind = CALL_KINDS[type];
  const callId = asString(type === 'mcp_approval_request' ? item.id : item.call_id);
  const tool = kind?.tool ?? asString(item.name);
  const field = kind?.input.find((key) => item[key] !== undefined);
  if (kind === undefined || callId === undefined || tool === undefined || field === undefined) return undefined;
  if (item.execution === 'server') return undefined;
  const given = item[field];
  const spelled = typeof given === 'string' && isSpelled(type) ? given : undefined;
  const input = spelled === undefined ? (given as Json) : parseInput(spelled);
  const idKey = type === 'mcp_approval_request' ? 'id' : 'call_id';
  const own = omitFields(item, 'type', idKey, field, ...(kind.tool === undefined ? ['name'] : []));
  const rest = {
    ...(type === 'function_call' ? {} : { type }),
    ...(field === kind.input[0] ? {} : { field }),
    ...(spelled === undefined ? {} : spelling(spelled, input)),
    ...(Object.keys(own).length === 0 ? {} : { item: own }),
  };
  return { type: 'call', callId, tool, input, ...native(RESPONSES, rest) };
}
