import { type ContentPart, type Json, type MediaPart, type Part, text } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { listIn } from '../body/list-in.ts';
import { mark, messageFields, native, nativePart } from '../body/native.ts';
import type { Read } from '../body/splice.ts';

export const ANTHROPIC = 'anthropic-messages';

/** The body of `POST /v1/messages`, as far as this wire looks at it. */
export interface AnthropicBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly model?: string;
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly thinking?: unknown;
  readonly thread?: unknown;
  readonly compaction?: unknown;
  readonly context_management?: unknown;
  readonly cache_control?: unknown;
}

export interface AnthropicSource {
  /** Usually one message. */
  readonly messages: readonly unknown[];
  /** What each part was read from; undefined for the message's own fields. */
  readonly blocks: readonly unknown[];
}

/**
 * Neighbours of one role are one turn to the server. Here they stay apart, so that a turn may grow, except where an
 * assistant's calls still wait for results: those come behind the whole turn.
 */
export function readMessages(body: AnthropicBody): readonly Read<AnthropicSource>[] {
  const reads: Read<AnthropicSource>[] = [];
  for (const message of listIn(body, 'messages', ANTHROPIC)) {
    const read = readMessage(message);
    const last = reads.at(-1);
    if (last?.role !== 'assistant' || read.role !== 'assistant' || !last.parts.some((part) => part.type === 'call'))
      reads.push(read);
    else reads[reads.length - 1] = joinReads(last, read);
  }
  return reads;
}

const joinReads = (a: Read<AnthropicSource>, b: Read<AnthropicSource>): Read<AnthropicSource> => ({
  ...a,
  parts: [...a.parts, ...b.parts],
  source: {
    messages: [...a.source.messages, ...b.source.messages],
    blocks: [...a.source.blocks, ...b.source.blocks],
  },
});

function readMessage(message: unknown): Read<AnthropicSource> {
  if (!isFields(message))
    return {
      role: 'user',
      origin: 'harness',
      parts: [nativePart(ANTHROPIC, message)],
      source: { messages: [message], blocks: [message] },
    };
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const ofHarness = message.role !== 'assistant' && message.role !== 'user';
  const fields = omitFields(message, 'content', ...(ofHarness ? [] : ['role']));
  const parts: Part[] = [...messageFields(ANTHROPIC, fields)];
  const blocks: unknown[] = parts.map(() => undefined);
  for (const block of blocksIn(message.content)) {
    const part = readBlock(block);
    if (part === undefined) continue;
    parts.push(part);
    blocks.push(block);
  }
  const origin = role === 'assistant' ? 'model' : ofHarness ? 'harness' : isAllResults(parts) ? 'tool' : 'human';
  // Copies have room for what they hold: a list that was pushed to has room for 17, and there are two of each message.
  return { role, origin, parts: parts.slice(), source: { messages: [message], blocks: blocks.slice() } };
}

const isAllResults = (parts: readonly Part[]): boolean =>
  parts.length > 0 && parts.every((part) => part.type === 'result');

/** A string is short for one text block. */
export const blocksIn = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);

/** Breakpoints belong to the request, not to the message: hosts move them from call to call. */
const ownFields = (block: Fields, ...keys: readonly string[]): Fields =>
  omitFields(block, 'type', 'cache_control', ...keys);

function readBlock(block: unknown): Part | undefined {
  if (!isFields(block)) return nativePart(ANTHROPIC, block);
  const { type } = block;
  const signature = asString(block.signature);
  if (type === 'thinking' && typeof block.thinking === 'string' && signature !== undefined)
    return {
      type: 'reasoning',
      text: block.thinking,
      signature,
      ...mark(ANTHROPIC, ownFields(block, 'thinking', 'signature')),
    };
  if (type === 'redacted_thinking' && typeof block.data === 'string')
    return {
      type: 'reasoning',
      text: '',
      signature: block.data,
      ...mark(ANTHROPIC, { redacted: true, ...ownFields(block, 'data') }),
    };
  if (type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string')
    return {
      type: 'call',
      callId: block.id,
      tool: block.name,
      input: (block.input ?? {}) as Json,
      ...native(ANTHROPIC, ownFields(block, 'id', 'name', 'input')),
    };
  if (type === 'tool_result' && typeof block.tool_use_id === 'string')
    return {
      type: 'result',
      callId: block.tool_use_id,
      content: blocksIn(block.content).flatMap((piece) => readContent(piece) ?? []),
      ...(block.is_error === true ? { isError: true } : {}),
      ...native(ANTHROPIC, ownFields(block, 'tool_use_id', 'content', 'is_error')),
    };
  return readContent(block);
}

function readContent(block: unknown): ContentPart | undefined {
  if (!isFields(block)) return nativePart(ANTHROPIC, block);
  if (block.type === 'text' && typeof block.text === 'string') {
    if (isBlank(block.text)) return undefined;
    return { ...text(block.text), ...native(ANTHROPIC, ownFields(block, 'text')) };
  }
  return readMedia(block) ?? nativePart(ANTHROPIC, omitFields(block, 'cache_control'));
}

function readMedia(block: Fields): MediaPart | undefined {
  const kind = block.type;
  if (kind !== 'image' && kind !== 'document') return undefined;
  const name = asString(block.title);
  const rest = ownFields(block, 'source', ...(name === undefined ? [] : ['title']));
  const base = { type: 'media', kind, ...(name === undefined ? {} : { name }) } as const;
  const source = asFields(block.source);
  if (source.type === 'base64' && typeof source.data === 'string' && typeof source.media_type === 'string')
    return { ...base, mediaType: source.media_type, data: source.data, ...native(ANTHROPIC, rest) };
  const mediaType = kind === 'image' ? 'image/*' : 'application/pdf';
  if (source.type === 'url' && typeof source.url === 'string')
    return { ...base, mediaType, url: source.url, ...native(ANTHROPIC, rest) };
  if (source.type === 'file' && typeof source.file_id === 'string')
    return { ...base, mediaType, url: source.file_id, ...native(ANTHROPIC, { ...rest, source }) };
  return undefined;
}
