import {
  type CallPart,
  type ContentPart,
  type MediaPart,
  mediaMarker,
  type Part,
  type ResultPart,
} from '@palimpsest/core';
import { asFields, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { isWebUrl } from '../body/media.ts';
import { isForeign, isMessageFields, nativeOf } from '../body/native.ts';
import { ANTHROPIC } from './read.ts';

export interface PartContext {
  readonly role: 'user' | 'assistant';
  /** The call that a result answers. */
  call(callId: string): CallPart | undefined;
}

/**
 * The blocks a part travels in: one, none where Anthropic has no place for it, or more where media stand beside a result.
 * Calls are as the transcript has them; `mendBody` makes of them what is taken.
 */
export function encodePart(part: Part, context: PartContext): readonly Fields[] {
  switch (part.type) {
    case 'text':
    case 'media':
      return encodeContent(part, context.role);
    case 'reasoning':
      return encodeReasoning(part, context.role);
    case 'call':
      return [
        {
          type: 'tool_use',
          id: part.callId,
          name: part.tool,
          input: part.input,
          ...nativeOf(part, ANTHROPIC),
        },
      ];
    case 'result':
      return encodeResult(part, context);
    case 'native':
      return isMessageFields(part) ? [] : encodeContent(part, context.role);
  }
}

/** Thinking without a signature of Anthropic's own is refused, so what another provider reasoned stays behind. */
function encodeReasoning(part: Extract<Part, { type: 'reasoning' }>, role: string): readonly Fields[] {
  if (role !== 'assistant' || part.signature === undefined || isForeign(part, ANTHROPIC)) return [];
  const { redacted, ...rest } = nativeOf(part, ANTHROPIC);
  if (redacted === true) return [{ type: 'redacted_thinking', data: part.signature, ...rest }];
  return [{ type: 'thinking', thinking: part.text, signature: part.signature, ...rest }];
}

function encodeResult(part: ResultPart, context: PartContext): readonly Fields[] {
  const blocks = part.content.flatMap((piece) => encodeContent(piece, 'user'));
  // "all content must be type text if is_error is true": what an error shows besides goes behind it.
  const inside = part.isError === true ? blocks.filter((block) => block.type === 'text') : blocks;
  const beside = part.isError === true ? blocks.filter(isMedia) : [];
  const toolset = nativeOf(part, ANTHROPIC).toolset_name ?? toolsetOf(context.call(part.callId));
  const result = {
    type: 'tool_result',
    tool_use_id: part.callId,
    ...(inside.length === 0 ? {} : { content: inside }),
    ...(part.isError === true ? { is_error: true } : {}),
    ...nativeOf(part, ANTHROPIC),
    ...(toolset === undefined ? {} : { toolset_name: toolset }),
  };
  return [result, ...beside];
}

const isMedia = (block: Fields): boolean => block.type === 'image' || block.type === 'document';

const toolsetOf = (call: CallPart | undefined): unknown =>
  call === undefined ? undefined : (nativeOf(call, ANTHROPIC).toolset_name ?? undefined);

function encodeContent(part: ContentPart, role: string): readonly Fields[] {
  if (part.type === 'native') return part.wire === ANTHROPIC ? [asFields(part.block)] : [];
  if (part.type === 'media') return [encodeMedia(part, role)];
  return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...nativeOf(part, ANTHROPIC) }];
}

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function encodeMedia(part: MediaPart, role: string): Fields {
  const source = role === 'user' ? sourceOf(part) : undefined;
  if (source === undefined) return { type: 'text', text: mediaMarker(part) };
  const rest = omitFields(nativeOf(part, ANTHROPIC), 'source');
  const title = part.name !== undefined && part.kind === 'document' ? { title: part.name } : {};
  return { type: part.kind, source, ...title, ...rest };
}

function sourceOf(part: MediaPart): Fields | undefined {
  const { source } = nativeOf(part, ANTHROPIC);
  if (isFields(source)) return source;
  if (part.kind !== 'image' && part.kind !== 'document') return undefined;
  if (part.data === undefined)
    return part.url !== undefined && isWebUrl(part.url) ? { type: 'url', url: part.url } : undefined;
  if (part.kind === 'image')
    return IMAGES.includes(part.mediaType)
      ? { type: 'base64', media_type: part.mediaType, data: part.data }
      : undefined;
  if (part.mediaType === 'application/pdf') return { type: 'base64', media_type: part.mediaType, data: part.data };
  if (!part.mediaType.startsWith('text/')) return undefined;
  const data = Buffer.from(part.data, 'base64').toString('utf8');
  return isBlank(data) ? undefined : { type: 'text', media_type: 'text/plain', data };
}
