import { type ContentPart, mediaMarker, type Part, text } from '@palimpsest/core';
import { asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { asJson, asRecords, asWord, getField, omitUndefined } from '../fields.ts';
import { mediaData, mediaUrl } from './media.ts';
import { signatureFields } from './signature.ts';

/** Content blocks of the Anthropic Messages API, in which Claude Code and Cline record. */

const WIRE = 'anthropic-messages';

const nativePart = (block: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: asJson(block) });

function readMedia(block: Fields): ContentPart {
  const mediaType =
    asString(getField(block.source, 'media_type')) ?? (block.type === 'image' ? 'image/png' : 'application/pdf');
  const name = asWord(block.title);
  const data = asString(getField(block.source, 'data'));
  if (data !== undefined && getField(block.source, 'type') === 'base64') return mediaData(mediaType, data, name);
  const url = asString(getField(block.source, 'url'));
  return url === undefined ? nativePart(block) : mediaUrl(url, mediaType, name);
}

function readContent(block: Fields): ContentPart {
  if (block.type === 'text') return text(asString(block.text) ?? '');
  return block.type === 'image' || block.type === 'document' ? readMedia(block) : nativePart(block);
}

const readContents = (content: unknown): readonly ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return asRecords(content).map(readContent);
};

function readPart(block: Fields): Part {
  switch (block.type) {
    case 'thinking':
      return {
        type: 'reasoning',
        text: asString(block.thinking) ?? '',
        ...signatureFields(WIRE, asWord(block.signature)),
      };
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', ...signatureFields(WIRE, asWord(block.data), { redacted: true }) };
    case 'tool_use':
      return {
        type: 'call',
        callId: asString(block.id) ?? '',
        tool: asString(block.name) ?? '',
        input: asJson(block.input ?? {}),
      };
    case 'tool_result':
      return {
        type: 'result',
        callId: asString(block.tool_use_id) ?? '',
        content: readContents(block.content),
        ...(block.is_error === true ? { isError: true } : {}),
      };
    default:
      return readContent(block);
  }
}

/** A message's content: a string, or a list of blocks. */
export const readBlocks = (content: unknown): readonly Part[] =>
  typeof content === 'string' ? [text(content)] : asList(content).length === 0 ? [] : asRecords(content).map(readPart);

/** Call ids as the API takes them. */
export const apiCallId = (callId: string): string => callId.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';

/** A block that the API takes and that says what the part says. Not every part has one that reads back as itself. */
export function writeBlock(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return getField(part.native, WIRE, 'redacted') === true
        ? { type: 'redacted_thinking', data: part.signature ?? '' }
        : { type: 'thinking', thinking: part.text, signature: part.signature ?? '' };
    case 'call': {
      const input = isFields(part.input) ? part.input : { input: part.input };
      return { type: 'tool_use', id: apiCallId(part.callId), name: part.tool, input };
    }
    case 'result': {
      const [only, more] = part.content;
      const content = only?.type === 'text' && more === undefined ? only.text : part.content.map(writeBlock);
      return { type: 'tool_result', tool_use_id: apiCallId(part.callId), content, is_error: part.isError === true };
    }
    case 'media': {
      if (part.kind !== 'image' && part.kind !== 'document') return { type: 'text', text: mediaMarker(part) };
      const source =
        part.data === undefined
          ? { type: 'url', url: part.url ?? '' }
          : { type: 'base64', media_type: part.mediaType, data: part.data };
      return { type: part.kind, source, ...(part.kind === 'document' ? omitUndefined({ title: part.name }) : {}) };
    }
    case 'native':
      return part.wire === WIRE && isFields(part.block)
        ? part.block
        : { type: 'text', text: JSON.stringify(part.block) };
  }
}

/** Whether Anthropic gave the signature; where nothing says, the model tells. */
export const isFromAnthropic = (part: Part, model: string): boolean =>
  part.native === undefined ? model.startsWith('claude') : getField(part.native, WIRE) !== undefined;
