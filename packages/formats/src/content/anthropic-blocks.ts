import { type ContentPart, type Json, mediaMarker, type Part, text } from '@palimpsest/core';
import { at, type Fields, given, jsonOf, listOf, recordsOf, stringOf, wordOf } from '../fields.ts';
import { mediaData, mediaUrl } from './media.ts';
import { signed } from './signature.ts';

/** Content blocks of the Anthropic Messages API, in which Claude Code and Cline record. */

const WIRE = 'anthropic-messages';

const native = (block: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: jsonOf(block) });

function mediaFrom(block: Fields): ContentPart {
  const mediaType =
    stringOf(at(block.source, 'media_type')) ?? (block.type === 'image' ? 'image/png' : 'application/pdf');
  const name = wordOf(block.title);
  const data = stringOf(at(block.source, 'data'));
  if (data !== undefined && at(block.source, 'type') === 'base64') return mediaData(mediaType, data, name);
  const url = stringOf(at(block.source, 'url'));
  return url === undefined ? native(block) : mediaUrl(url, mediaType, name);
}

function contentFrom(block: Fields): ContentPart {
  if (block.type === 'text') return text(stringOf(block.text) ?? '');
  return block.type === 'image' || block.type === 'document' ? mediaFrom(block) : native(block);
}

const contentOf = (content: unknown): readonly ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return recordsOf(content).map(contentFrom);
};

function partFrom(block: Fields): Part {
  switch (block.type) {
    case 'thinking':
      return { type: 'reasoning', text: stringOf(block.thinking) ?? '', ...signed(WIRE, wordOf(block.signature)) };
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', ...signed(WIRE, wordOf(block.data), { redacted: true }) };
    case 'tool_use':
      return {
        type: 'call',
        callId: stringOf(block.id) ?? '',
        tool: stringOf(block.name) ?? '',
        input: jsonOf(block.input ?? {}),
      };
    case 'tool_result':
      return {
        type: 'result',
        callId: stringOf(block.tool_use_id) ?? '',
        content: contentOf(block.content),
        ...(block.is_error === true ? { isError: true } : {}),
      };
    default:
      return contentFrom(block);
  }
}

/** A message's content: a string, or a list of blocks. */
export const partsFromBlocks = (content: unknown): readonly Part[] =>
  typeof content === 'string' ? [text(content)] : listOf(content).length === 0 ? [] : recordsOf(content).map(partFrom);

/** Call ids as the API takes them. */
export const apiCallId = (callId: string): string => callId.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A block that the API takes and that says what the part says. Not every part has one that reads back as itself. */
export function blockFrom(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return at(part.native, WIRE, 'redacted') === true
        ? { type: 'redacted_thinking', data: part.signature ?? '' }
        : { type: 'thinking', thinking: part.text, signature: part.signature ?? '' };
    case 'call': {
      const input = isObject(part.input) ? part.input : { input: part.input };
      return { type: 'tool_use', id: apiCallId(part.callId), name: part.tool, input };
    }
    case 'result': {
      const only = part.content.length === 1 ? part.content[0]! : undefined;
      const content = only?.type === 'text' ? only.text : part.content.map(blockFrom);
      return { type: 'tool_result', tool_use_id: apiCallId(part.callId), content, is_error: part.isError === true };
    }
    case 'media': {
      if (part.kind !== 'image' && part.kind !== 'document') return { type: 'text', text: mediaMarker(part) };
      const source =
        part.data === undefined
          ? { type: 'url', url: part.url ?? '' }
          : { type: 'base64', media_type: part.mediaType, data: part.data };
      return { type: part.kind, source, ...(part.kind === 'document' ? given({ title: part.name }) : {}) };
    }
    case 'native':
      return part.wire === WIRE && isObject(part.block)
        ? (part.block as Fields)
        : { type: 'text', text: JSON.stringify(part.block) };
  }
}

/** Whether Anthropic gave the signature; where nothing says, the model tells. */
export const isFromAnthropic = (part: Part, model: string): boolean =>
  part.native === undefined ? model.startsWith('claude') : at(part.native, WIRE) !== undefined;
