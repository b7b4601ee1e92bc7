import type { CallPart, MediaPart, Part, ReasoningPart } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { listIn } from '../body/list-in.ts';
import { mediaFromUrl, parseDataUrl } from '../body/media.ts';
import { messageFields, native, nativePart } from '../body/native.ts';
import type { Read } from '../body/splice.ts';
import { parseInput, spelling } from '../body/tool-arguments.ts';

export const CHAT = 'openai-chat';

/** The body of `POST /chat/completions`, as far as this wire looks at it. */
export interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly model?: string;
  readonly tools?: unknown;
  readonly functions?: unknown;
}

export interface ChatReading {
  /** So many system and developer messages stand first: the system prompt. */
  readonly lead: number;
  readonly reads: readonly Read<unknown>[];
}

export const isSystem = (role: unknown): boolean => role === 'system' || role === 'developer';

export function readMessages(body: ChatBody): ChatReading {
  const list = listIn(body, 'messages', CHAT);
  const other = list.findIndex((message) => !isSystem(asFields(message).role));
  const lead = other < 0 ? list.length : other;
  let legacy = '';
  const reads: Read<unknown>[] = [];
  for (const message of list.slice(lead)) {
    const read = readMessage(message, `function-${reads.length}`, legacy);
    const call = read.parts.find((part) => part.type === 'call');
    if (call !== undefined) legacy = call.callId;
    reads.push(read);
  }
  return { lead, reads };
}

/** Functions of the old kind have no ids: `legacy` is what the call of this message gets, `before` the last one given. */
function readMessage(message: unknown, legacy: string, before: string): Read<unknown> {
  const unread = {
    role: 'user',
    origin: 'harness',
    parts: [nativePart(CHAT, { type: UNREAD, message })],
    source: message,
  } as const;
  if (!isFields(message)) return unread;
  const { role } = message;
  if (role === 'assistant') return { role, origin: 'model', parts: readAssistant(message, legacy), source: message };
  if (role === 'tool' || role === 'function') {
    const callId = role === 'tool' ? asString(message.tool_call_id) : before;
    if (callId === undefined) return unread;
    const content = readContent(message.content);
    const rest = omitFields(message, 'content', 'tool_call_id', ...(role === 'tool' ? ['role'] : []));
    return {
      role: 'user',
      origin: 'tool',
      parts: [{ type: 'result', callId, content, ...native(CHAT, rest) }],
      source: message,
    };
  }
  const fields = messageFields(CHAT, omitFields(message, 'content', ...(role === 'user' ? ['role'] : [])));
  const origin = role === 'user' ? 'human' : 'harness';
  return { role: 'user', origin, parts: [...fields, ...readContent(message.content)], source: message };
}

/** A message or a call of a form that is not known here. */
export const UNREAD = 'unread';

/** Servers behind this format carry open reasoning in fields of their own; they want it back where it was. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'];

function readAssistant(message: Fields, legacy: string): readonly Part[] {
  const call = asFields(message.function_call);
  const named = typeof call.name === 'string' && typeof call.arguments === 'string';
  const rest = omitFields(
    message,
    'role',
    'content',
    'tool_calls',
    ...REASONING_FIELDS,
    ...(named ? ['function_call'] : []),
  );
  return [
    ...messageFields(CHAT, rest),
    ...REASONING_FIELDS.flatMap((field) => readReasoning(field, message[field])),
    ...readContent(message.content),
    ...asList(message.tool_calls).map(readCall),
    ...(named ? [readFunction({ type: 'function_call', function: call }, legacy)] : []),
  ];
}

function readReasoning(field: string, value: unknown): readonly ReasoningPart[] {
  if (typeof value === 'string' && value !== '')
    return [{ type: 'reasoning', text: value, ...native(CHAT, { field }) }];
  const details = asList(value).map(asFields);
  if (details.length === 0) return [];
  const text = details.map((detail) => asString(detail.text) ?? asString(detail.summary) ?? '').join('');
  const signature = details
    .map((detail) => asString(detail.signature) ?? asString(detail.data))
    .find((one) => one !== undefined);
  const signed = signature === undefined ? {} : { signature };
  return [{ type: 'reasoning', text, ...signed, ...native(CHAT, { field, details: value }) }];
}

function readCall(call: unknown): Part {
  const fields = asFields(call);
  const id = asString(fields.id);
  const custom = asFields(fields.custom);
  if (
    id !== undefined &&
    typeof asFields(fields.function).name === 'string' &&
    typeof asFields(fields.function).arguments === 'string'
  )
    return readFunction(fields, id);
  if (
    id === undefined ||
    fields.type !== 'custom' ||
    typeof custom.name !== 'string' ||
    typeof custom.input !== 'string'
  )
    return nativePart(CHAT, { type: UNREAD, call });
  const rest = { ...omitFields(fields, 'id', 'custom'), ...keepUnder('custom', omitFields(custom, 'name', 'input')) };
  return { type: 'call', callId: id, tool: custom.name, input: custom.input, ...native(CHAT, rest) };
}

function readFunction(call: Fields, callId: string): CallPart {
  const made = asFields(call.function);
  const raw = String(made.arguments);
  const input = parseInput(raw);
  const type = call.type === 'function' ? {} : { type: call.type ?? 'none' };
  const rest = {
    ...type,
    ...omitFields(call, 'id', 'type', 'function'),
    ...keepUnder('function', omitFields(made, 'name', 'arguments')),
  };
  return {
    type: 'call',
    callId,
    tool: String(made.name),
    input,
    ...native(CHAT, { ...rest, ...spelling(raw, input) }),
  };
}

const keepUnder = (key: string, fields: Fields): Fields => (Object.keys(fields).length === 0 ? {} : { [key]: fields });

type Piece = Extract<Part, { type: 'text' | 'media' | 'native' }>;

function readContent(content: unknown): readonly Piece[] {
  if (typeof content === 'string') return isBlank(content) ? [] : [{ type: 'text', text: content }];
  return asList(content).flatMap((piece) => readPiece(piece) ?? []);
}

function readPiece(piece: unknown): Piece | undefined {
  if (!isFields(piece)) return nativePart(CHAT, piece);
  // A breakpoint belongs to the request, not to the message.
  const fields = omitFields(piece, 'prompt_cache_breakpoint');
  if (fields.type === 'text' && typeof fields.text === 'string')
    return isBlank(fields.text)
      ? undefined
      : { type: 'text', text: fields.text, ...native(CHAT, omitFields(fields, 'type', 'text')) };
  return readMedia(fields) ?? nativePart(CHAT, fields);
}

function readMedia(piece: Fields): MediaPart | undefined {
  const { type } = piece;
  const body = asFields(type === 'image_url' || type === 'input_audio' || type === 'file' ? piece[type] : undefined);
  const rest = (...keys: readonly string[]): ReturnType<typeof native> =>
    native(CHAT, { ...omitFields(piece, 'type', String(type)), ...keepUnder('media', omitFields(body, ...keys)) });
  if (type === 'image_url' && typeof body.url === 'string')
    return { ...mediaFromUrl(body.url, 'image', 'image/*'), ...rest('url') };
  if (type === 'input_audio' && typeof body.data === 'string' && typeof body.format === 'string')
    return {
      type: 'media',
      kind: 'audio',
      mediaType: `audio/${body.format}`,
      data: body.data,
      ...rest('data', 'format'),
    };
  if (type !== 'file') return undefined;
  const name = typeof body.filename === 'string' ? { name: body.filename } : {};
  const held = typeof body.file_data === 'string' ? parseDataUrl(body.file_data) : undefined;
  if (held !== undefined)
    return { type: 'media', kind: 'document', ...held, ...name, ...rest('file_data', 'filename') };
  if (typeof body.file_id !== 'string' || body.file_data !== undefined) return undefined;
  return {
    type: 'media',
    kind: 'document',
    mediaType: 'application/pdf',
    url: body.file_id,
    ...name,
    ...rest('filename'),
  };
}
