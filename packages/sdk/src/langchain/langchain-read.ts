import type { ContentPart, Json, MediaPart, Part } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { kindOf, mark, mediaFromUrl, messageFields, native, nativePart, type Read } from '@palimpsest/wire/body';

export const LANGCHAIN = 'langchain';

export interface LangChainSource {
  readonly message: Fields;
  /** The block of content that each part was read from; undefined where there was none. */
  readonly blocks: readonly unknown[];
}

/** The public names of the kinds of messages. */
export function typeOf(message: Fields): string {
  const { type, getType } = message;
  return typeof type === 'string' ? type : typeof getType === 'function' ? String(getType.call(message)) : '';
}

export function readMessage(given: unknown): Read<LangChainSource> {
  const message = asFields(given);
  const type = typeOf(message);
  if (type === 'ai') return readAi(message);
  if (type === 'tool' && typeof message.tool_call_id === 'string') {
    const pieces = blocksIn(message.content).map(readContent);
    const isError = message.status === 'error';
    const part: Part = {
      type: 'result',
      callId: message.tool_call_id,
      content: pieces,
      ...(isError ? { isError } : {}),
    };
    return { role: 'user', origin: 'tool', parts: [part], source: { message, blocks: [undefined] } };
  }
  const lead = type === 'human' ? [] : messageFields(LANGCHAIN, { type, role: message.role });
  const { parts, blocks } = dropBlank(blocksIn(message.content).map((block) => [readContent(block), block]));
  return {
    role: 'user',
    origin: type === 'human' ? 'human' : 'harness',
    parts: [...lead, ...parts],
    source: { message, blocks: [...lead.map(() => undefined), ...blocks] },
  };
}

function readAi(message: Fields): Read<LangChainSource> {
  const calls = asList(message.tool_calls).map(asFields);
  const open = new Map(calls.map((call) => [String(call.id), call]));
  const read = blocksIn(message.content).map((block): readonly [Part, unknown] => {
    // Some vendors' calls stand in the content and in `tool_calls` alike: they are one.
    const call = isCallBlock(block) ? open.get(String(asFields(block).id)) : undefined;
    if (call === undefined) return [readReasoning(block) ?? readContent(block), block];
    open.delete(String(call.id));
    return [callOf(call), block];
  });
  const others = [...open.values()].map((call): readonly [Part, unknown] => [callOf(call), undefined]);
  const { parts, blocks } = dropBlank([...read, ...others]);
  return { role: 'assistant', origin: 'model', parts, source: { message, blocks } };
}

function dropBlank(pairs: readonly (readonly [Part, unknown])[]): {
  parts: readonly Part[];
  blocks: readonly unknown[];
} {
  const kept = pairs.filter(([part]) => part.type !== 'text' || !isBlank(part.text));
  return { parts: kept.map(([part]) => part), blocks: kept.map(([, block]) => block) };
}

const isCallBlock = (block: unknown): boolean => /^(?:tool_use|tool_call)$/.test(String(asFields(block).type));

const callOf = ({ id, name, args }: Fields): Part => ({
  type: 'call',
  callId: String(id),
  tool: String(name),
  input: (args ?? {}) as Json,
});

/** A string is short for one text block. */
const blocksIn = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : asList(content);

function readReasoning(block: unknown): Part | undefined {
  const { type, thinking, reasoning, summary, signature, data } = asFields(block);
  if (type !== 'thinking' && type !== 'reasoning' && type !== 'redacted_thinking') return undefined;
  const told = asList(summary).map((one) => asString(asFields(one).text) ?? '');
  const sealed = asString(signature) ?? asString(data) ?? asString(asFields(block).encrypted_content);
  return {
    type: 'reasoning',
    text: asString(thinking) ?? asString(reasoning) ?? told.join('\n'),
    ...(sealed === undefined ? {} : { signature: sealed }),
    ...mark(LANGCHAIN),
  };
}

function readContent(block: unknown): ContentPart {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isFields(block)) return nativePart(LANGCHAIN, block ?? null);
  if (block.type === 'text' && typeof block.text === 'string')
    // A cache mark belongs to the request; the index of a streamed block says nothing.
    return {
      type: 'text',
      text: block.text,
      ...native(LANGCHAIN, toJson(omitFields(block, 'type', 'text', 'cache_control', 'index'))),
    };
  return readMedia(block) ?? nativePart(LANGCHAIN, toJson(omitFields(block, 'cache_control')));
}

const MEDIA = ['image', 'audio', 'video', 'file', 'image_url'];

/** LangChain's own blocks, and the chat format's for images. */
function readMedia(block: Fields): MediaPart | undefined {
  if (!MEDIA.includes(String(block.type))) return undefined;
  const mediaType = asString(block.mimeType) ?? asString(block.mime_type) ?? `${String(block.type)}/*`;
  const kind =
    block.type === 'image_url' ? 'image' : block.type === 'file' ? kindOf(mediaType) : kindOf(`${block.type}/`);
  const link =
    block.type === 'image_url' ? (asString(block.image_url) ?? asString(asFields(block.image_url).url)) : undefined;
  const url = link ?? asString(block.url);
  if (url !== undefined) return mediaFromUrl(url, kind, mediaType);
  const data = block.data instanceof Uint8Array ? Buffer.from(block.data).toString('base64') : asString(block.data);
  return data === undefined ? undefined : { type: 'media', kind, mediaType, data };
}

const toJson = (value: Fields): Fields => JSON.parse(JSON.stringify(value)) as Fields & Json;
