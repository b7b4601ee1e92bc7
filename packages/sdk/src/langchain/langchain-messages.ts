import { type CallPart, type Message, type Part, partText, type ResultPart } from '@palimpsest/core';
import { asFields, asList, type Fields, isBlank, isSameJson, omitFields } from '@palimpsest/core/json';
import type { Decoded, Encoded } from '@palimpsest/wire';
import {
  callsIn,
  changeByType,
  changeEach,
  changeFields,
  isMessageFields,
  makeWellFormed,
  messageFieldsOf,
  nameMessages,
  OPENING,
  type Piece,
  type Read,
  splice,
} from '@palimpsest/wire/body';
import type { Format } from '../conversations/keep-options.ts';
import { createRenames } from '../mend-calls.ts';
import { reasoningRules } from '../reasoning-rules.ts';
import { LANGCHAIN, type LangChainSource, readMessage, typeOf } from './langchain-read.ts';

export interface LangChainBody {
  readonly messages: readonly unknown[];
  readonly tools?: unknown;
  readonly model: string;
}

/**
 * LangChain's messages by their public shape. Unchanged ones are handed on as the very objects they were; others are
 * made by the constructors of those at hand, so that no class of LangChain's is imported.
 */
export const langChainMessages: Format<LangChainBody> = { name: LANGCHAIN, decode, encode };

/** System prompt and tools travel beside the messages, in forms that only the model's adapter can size: usage tells. */
function decode({ messages, model }: LangChainBody): Decoded {
  return {
    messages: nameMessages(readMessages(messages)),
    system: '',
    tools: [],
    partial: false,
    rules: reasoningRules(model),
  };
}

const readMessages = (messages: readonly unknown[]): readonly Read<LangChainSource>[] =>
  messages.map((message) => {
    const read = readMessage(message);
    return { ...read, parts: makeWellFormed(read.parts) };
  });

function encode(view: readonly Message[], body: LangChainBody): Encoded<LangChainBody> {
  return { body: mendCalls(layView(makeWellFormed(view), body)), headers: {} };
}

/** Adapters read calls from one of two places; what stands in both is renamed alike. */
function mendCalls(body: LangChainBody): LangChainBody {
  const { call, result, tool } = createRenames(body.tools);
  const change = changeFields({
    tool_calls: changeEach(changeFields({ id: call, name: tool })),
    content: changeEach(
      changeByType({
        tool_use: changeFields({ id: result, name: tool }),
        tool_call: changeFields({ id: result, name: tool }),
      }),
    ),
    tool_call_id: result,
  });
  const mend = (message: unknown): unknown => {
    const { content, tool_calls, tool_call_id, additional_kwargs } = asFields(message);
    const given = omitFields({ content, tool_calls, tool_call_id });
    const made = makeWellFormed(change(given));
    if (made === given) return message;
    const kwargs = asFields(additional_kwargs);
    const own = 'tool_calls' in kwargs ? { additional_kwargs: omitFields(kwargs, 'tool_calls') } : {};
    return remakeMessage(asFields(message), { ...asFields(made), ...own });
  };
  return changeFields({ messages: changeEach(mend) })(body) as LangChainBody;
}

function layView(view: readonly Message[], body: LangChainBody): LangChainBody {
  const reads = readMessages(body.messages);
  const { shared, rest } = splice(view, reads);
  if (shared === view.length && shared === reads.length) return body;
  const make = makerFrom(reads);
  const calls = callsIn(view);
  const begins = shared === 0 && view[0]?.role === 'assistant' && reads[0]?.role !== 'assistant';
  const messages = [
    ...body.messages.slice(0, shared),
    ...(begins ? [make('human', { content: OPENING })] : []),
    ...rest.flatMap((piece) => encodeMessage(piece, make, calls)),
  ];
  return { ...body, messages };
}

type Make = (type: 'human' | 'ai' | 'tool', fields: Fields) => unknown;
type Maker = new (fields: Fields) => unknown;

const ROLES = { human: 'user', ai: 'assistant', tool: 'tool' } as const;

const makerOf = (message: Fields): Maker | undefined => {
  const { constructor: maker } = message;
  return typeof maker === 'function' && maker !== Object ? (maker as unknown as Maker) : undefined;
};

/** Where a kind has not been spoken in yet, the form that every model of LangChain takes for one. */
function makerFrom(reads: readonly Read<LangChainSource>[]): Make {
  return (type, fields) => {
    const model = reads.find(({ source }) => typeOf(source.message) === type)?.source.message;
    const maker = model === undefined ? undefined : makerOf(model);
    return maker === undefined ? { role: ROLES[type], ...fields } : new maker({ ...fields });
  };
}

/** What a message is made of, besides its content. */
const FIELDS = [
  'id',
  'name',
  'additional_kwargs',
  'response_metadata',
  'usage_metadata',
  'tool_calls',
  'invalid_tool_calls',
  'tool_call_id',
  'status',
  'artifact',
  'role',
];

function remakeMessage(message: Fields, changes: Fields): unknown {
  const fields: Record<string, unknown> = {};
  for (const key of FIELDS) if (message[key] !== undefined) fields[key] = message[key];
  const all = { ...fields, ...changes };
  const maker = makerOf(message);
  return maker === undefined ? { ...message, ...all } : new maker(all);
}

function encodeMessage(
  { message, read, exact }: Piece<LangChainSource>,
  make: Make,
  calls: ReadonlyMap<string, CallPart>,
): readonly unknown[] {
  if (read !== undefined && exact) return [read.source.message];
  if (message.role === 'assistant') return [encodeAi(message, read, make)];
  const results = message.parts
    .filter((part) => part.type === 'result')
    .map((part) => encodeResult(part, read, make, calls));
  const content = contentOf(message, read);
  if (content.length === 0) return results;
  const { type } = messageFieldsOf(message, LANGCHAIN);
  const isOwn = read !== undefined && (type !== undefined || typeOf(read.source.message) === 'human');
  return [...results, isOwn ? remakeMessage(read.source.message, { content }) : make('human', { content })];
}

function encodeAi(message: Message, read: Read<LangChainSource> | undefined, make: Make): unknown {
  const content = contentOf(message, read);
  const made = message.parts.filter((part) => part.type === 'call');
  const source = read?.source.message ?? {};
  const before = asList(source.tool_calls).map(asFields);
  const tool_calls = made.map(({ callId, tool, input }) => ({
    ...(before.find((call) => call.id === callId) ?? { type: 'tool_call', id: callId, name: tool }),
    args: input,
  }));
  if (read === undefined) return make('ai', { content, tool_calls });
  // The vendor's own spelling of calls is void once one was changed.
  const additional_kwargs = omitFields(asFields(source.additional_kwargs), 'tool_calls');
  return remakeMessage(source, { content, tool_calls, additional_kwargs });
}

function encodeResult(
  part: ResultPart,
  read: Read<LangChainSource> | undefined,
  make: Make,
  calls: ReadonlyMap<string, CallPart>,
): unknown {
  const source = read?.source.message;
  const isOwn = source !== undefined && source.tool_call_id === part.callId;
  const before = isOwn ? asList(source.content) : [];
  const content = part.content.every((piece) => piece.type === 'text')
    ? part.content.map(partText).join('\n')
    : part.content.map((piece, i) =>
        piece.type === 'text' || before[i] === undefined ? { type: 'text', text: partText(piece) } : before[i],
      );
  if (isOwn) return remakeMessage(source, { content });
  const name = calls.get(part.callId)?.tool;
  return make('tool', {
    content,
    tool_call_id: part.callId,
    ...(name === undefined ? {} : { name }),
    ...(part.isError === true ? { status: 'error' } : {}),
  });
}

/** The caller's own blocks where they still say the same; one plain text as a string. */
function contentOf(message: Message, read: Read<LangChainSource> | undefined): string | readonly unknown[] {
  let next = 0;
  const blocks = message.parts.flatMap((part): readonly unknown[] => {
    const at = read?.parts.findIndex((one, i) => i >= next && (isSameJson(one, part) || isSameCall(one, part))) ?? -1;
    if (at >= 0) next = at + 1;
    const source = at < 0 ? undefined : read!.source.blocks[at];
    if (part.type === 'call') return source === undefined ? [] : [withInput(asFields(source), part)];
    if (part.type === 'result' || isMessageFields(part)) return [];
    if (source !== undefined) return [source];
    const text = part.type === 'native' || part.type === 'reasoning' ? '' : partText(part);
    return isBlank(text) ? [] : [{ type: 'text', text }];
  });
  const [only] = blocks.map(asFields);
  const isPlain = blocks.length === 1 && only?.type === 'text' && Object.keys(only).length === 2;
  return isPlain ? String(only.text) : blocks.length === 0 && message.role === 'assistant' ? '' : blocks;
}

const isSameCall = (a: Part, b: Part): boolean => a.type === 'call' && b.type === 'call' && a.callId === b.callId;

const withInput = (block: Fields, { input }: CallPart): Fields =>
  block.type === 'tool_call' ? { ...block, args: input } : { ...block, input };
