import type { ContentPart, Json, MediaPart, Part, ResultPart } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { kindOf, messageFields, native, nativePart, parseDataUrl, type Read } from '@palimpsest/wire/body';

export const AI_SDK = 'ai-sdk';

/** A prompt of `doGenerate`, or the messages of `prepareStep`: one shape but for what the latter may abbreviate. */
export interface PromptBody {
  readonly prompt: readonly unknown[];
  readonly tools?: unknown;
  readonly model: string;
  /** The adapter behind the model, as it calls itself. */
  readonly provider?: string | undefined;
  /** The request's own, by provider. */
  readonly providerOptions?: unknown;
}

export interface PromptSource {
  readonly message: unknown;
  /** What each part was read from. */
  readonly parts: readonly unknown[];
}

export interface PromptReading {
  /** So many system messages stand first. */
  readonly lead: number;
  readonly reads: readonly Read<PromptSource>[];
}

export function readPrompt(prompt: readonly unknown[]): PromptReading {
  const other = prompt.findIndex((message) => asFields(message).role !== 'system');
  const lead = other < 0 ? prompt.length : other;
  return { lead, reads: prompt.slice(lead).map(readMessage) };
}

function readMessage(message: unknown): Read<PromptSource> {
  const { role: given, content } = asFields(message);
  const role = given === 'assistant' ? 'assistant' : 'user';
  const fields = omitOwn(asFields(message), 'content', ...(given === 'system' ? [] : ['role']));
  const lead = messageFields(AI_SDK, fields);
  const parts: Part[] = [...lead];
  const sources: unknown[] = lead.map(() => undefined);
  for (const source of typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)) {
    const part = readPart(source, role);
    if (part === undefined) continue;
    parts.push(part);
    sources.push(source);
  }
  const origin = role === 'assistant' ? 'model' : given === 'tool' ? 'tool' : given === 'user' ? 'human' : 'harness';
  return { role, origin, parts, source: { message, parts: sources } };
}

function readPart(source: unknown, role: string): Part | undefined {
  const part = asFields(source);
  const { type } = part;
  const rest = (...keys: readonly string[]) => native(AI_SDK, omitOwn(part, 'type', ...keys));
  if (type === 'text' && typeof part.text === 'string')
    return isBlank(part.text) ? undefined : { type, text: part.text, ...rest('text') };
  if (type === 'reasoning' && typeof part.text === 'string')
    return { type, text: part.text, ...readSignature(part), ...rest('text') };
  if (type === 'tool-call' && typeof part.toolCallId === 'string' && part.providerExecuted !== true)
    return {
      type: 'call',
      callId: part.toolCallId,
      tool: String(part.toolName),
      input: toJson(part.input ?? {}),
      ...rest('toolCallId', 'toolName', 'input'),
    };
  // A result inside the assistant's own message is of a tool that the provider runs: it goes with its call.
  if (type === 'tool-result' && typeof part.toolCallId === 'string' && role === 'user')
    return { ...readResult(part, part.toolCallId), ...rest('toolCallId', 'toolName', 'output') };
  return readMedia(part) ?? nativePart(AI_SDK, toJson(source));
}

/** Whatever a provider signed or numbered: such a part stays as it is, or goes. */
function readSignature(part: Fields): { readonly signature?: string } {
  for (const options of Object.values(asFields(part.providerOptions))) {
    const { signature, redactedData, reasoningEncryptedContent, itemId } = asFields(options);
    const found = [signature, redactedData, reasoningEncryptedContent, itemId].find((one) => typeof one === 'string');
    if (found !== undefined) return { signature: String(found) };
  }
  return {};
}

function readResult(part: Fields, callId: string): ResultPart {
  const { type, value, reason } = asFields(part.output);
  const isError = type === 'error-text' || type === 'error-json' || type === 'execution-denied';
  const textParts = (text: string): readonly ContentPart[] => (text === '' ? [] : [{ type: 'text', text }]);
  const content =
    type === 'content'
      ? asList(value).map(readPiece)
      : type === 'execution-denied'
        ? textParts(asString(reason) ?? 'The execution was denied.')
        : textParts(typeof value === 'string' ? value : JSON.stringify(toJson(value ?? part.output)));
  return { type: 'result', callId, content, ...(isError ? { isError } : {}) };
}

function readPiece(source: unknown): ContentPart {
  const piece = asFields(source);
  if (piece.type === 'text' && typeof piece.text === 'string') return { type: 'text', text: piece.text };
  return readMedia(piece) ?? nativePart(AI_SDK, toJson(source));
}

const MEDIA = ['file', 'image', 'media', 'file-data', 'file-url', 'image-data', 'image-url'];

function readMedia(part: Fields): MediaPart | undefined {
  if (!MEDIA.includes(String(part.type))) return undefined;
  const isImage = String(part.type).startsWith('image');
  const mediaType = asString(part.mediaType) ?? (isImage ? 'image/*' : 'application/octet-stream');
  const where = locate(part.data ?? part.image ?? part.url);
  if (where === undefined) return undefined;
  const name = asString(part.filename);
  return {
    type: 'media',
    kind: isImage ? 'image' : kindOf(mediaType),
    mediaType,
    ...where,
    ...(name === undefined ? {} : { name }),
  };
}

/** Bytes, base64, a data URL, a URL, or the tagged form of v4. */
function locate(data: unknown): { readonly data: string } | { readonly url: string } | undefined {
  if (data instanceof URL) return { url: data.href };
  if (data instanceof Uint8Array) return { data: Buffer.from(data).toString('base64') };
  if (data instanceof ArrayBuffer) return { data: Buffer.from(data).toString('base64') };
  if (isFields(data)) return data.type === 'data' || data.type === 'url' ? locate(data.data ?? data.url) : undefined;
  if (typeof data !== 'string') return undefined;
  const held = parseDataUrl(data);
  if (held !== undefined) return { data: held.data };
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(data) ? { url: data } : { data };
}

/** Everything but what is named, without cache marks: those belong to the request, hosts move them from call to call. */
function omitOwn(fields: Fields, ...keys: readonly string[]): Fields {
  const { providerOptions, ...rest } = asFields(toJson(omitFields(fields, ...keys)));
  const options = Object.entries(asFields(providerOptions)).flatMap(([provider, given]) => {
    const kept = omitFields(asFields(given), 'cacheControl', 'cache_control');
    return Object.keys(kept).length === 0 ? [] : [[provider, kept]];
  });
  return options.length === 0 ? rest : { ...rest, providerOptions: Object.fromEntries(options) };
}

/** As JSON, bytes as base64. */
function toJson(value: unknown): Json {
  const text = JSON.stringify(value, function (this: Fields, key: string, given: unknown) {
    const raw = this[key];
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : given;
  });
  return text === undefined ? null : (JSON.parse(text) as Json);
}
