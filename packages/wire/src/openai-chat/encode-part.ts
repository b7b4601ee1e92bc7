import { type CallPart, type MediaPart, mediaMarker, type Part, type ResultPart } from '@palimpsest/core';
import { asFields, type Fields, isBlank, isFields } from '@palimpsest/core/json';
import { urlOf } from '../body/media.ts';
import { isForeign, nativeOf } from '../body/native.ts';
import { spellArguments } from '../body/tool-arguments.ts';
import { CHAT } from './read.ts';

/** One entry of `tool_calls`; for a function of the old kind, what goes into `function_call`. */
export function encodeCall(part: CallPart): Fields {
  const { arguments: spelled, type = 'function', function: more, custom, ...rest } = nativeOf(part, CHAT);
  const id = part.callId;
  if (type === 'custom' && typeof part.input === 'string')
    return { id, type, custom: { name: part.tool, input: part.input, ...asFields(custom) }, ...rest };
  const made = { name: part.tool, arguments: spellArguments(part.input, spelled), ...asFields(more) };
  return { id, ...(type === 'none' ? {} : { type: type === 'custom' ? 'function' : type }), function: made, ...rest };
}

/** `tool` messages take text alone; media are named in it and travel behind. There is no flag for errors, so the text says it. */
export function encodeResult(part: ResultPart, call: CallPart | undefined): Fields {
  const pieces = part.content.flatMap((piece) => encodePiece(piece, 'tool')).filter((piece) => piece.type === 'text');
  const words = pieces.map((piece) => piece.text).join('\n');
  const content = part.isError === true ? `Error: ${words}` : pieces.length > 1 ? pieces : words;
  const fields = nativeOf(part, CHAT);
  if (fields.role === 'function' || (call !== undefined && isLegacy(call)))
    return { role: 'function', name: call?.tool ?? 'function', ...fields, content };
  return { role: 'tool', tool_call_id: part.callId, ...fields, content };
}

export const isLegacy = (call: CallPart): boolean => nativeOf(call, CHAT).type === 'function_call';

/** The pieces of a message's content that a part becomes. */
export function encodePiece(part: Part, role: string): readonly Fields[] {
  if (part.type === 'text')
    return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...nativeOf(part, CHAT) }];
  if (part.type === 'native') return part.wire === CHAT && isFields(part.block) ? [part.block] : [];
  if (part.type !== 'media') return [];
  return [(role === 'user' ? encodeMedia(part) : undefined) ?? { type: 'text', text: mediaMarker(part) }];
}

export function encodeMedia(part: MediaPart): Fields | undefined {
  const { media, ...rest } = nativeOf(part, CHAT);
  const more = asFields(media);
  const file = part.kind === 'document' ? fileOf(part, more) : undefined;
  if (file !== undefined) return { type: 'file', file: { ...file, ...more }, ...rest };
  const format = /^audio\/(wav|mp3|mpeg)$/.exec(part.mediaType)?.[1];
  if (part.kind === 'audio' && part.data !== undefined && format !== undefined)
    return {
      type: 'input_audio',
      input_audio: { data: part.data, format: format === 'mpeg' ? 'mp3' : format, ...more },
      ...rest,
    };
  const url = urlOf(part) ?? (isForeign(part, CHAT) ? undefined : part.url);
  return part.kind === 'image' && url !== undefined
    ? { type: 'image_url', image_url: { url, ...more }, ...rest }
    : undefined;
}

function fileOf(part: MediaPart, more: Fields): Fields | undefined {
  if (typeof more.file_id === 'string') return part.name === undefined ? {} : { filename: part.name };
  if (part.data === undefined) return undefined;
  return { file_data: urlOf(part), filename: part.name ?? 'document' };
}
