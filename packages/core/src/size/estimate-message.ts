import type { Message, Part } from '../message/message.ts';
import { bytesOfJson, bytesOfText, type CountText, countJson, visitStrings } from './estimate/count-json.ts';
import { estimateText } from './estimate/estimate-text.ts';
import { blobTokens, isBlob, isImageBlob, mediaTokens, sealedTokens } from './estimate/media-tokens.ts';

export type { CountText } from './estimate/count-json.ts';
export { bytesOfText, estimateText };

/** What a provider adds around a message, a call and a result: role, ids, tags. */
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 8;
const RESULT_TOKENS = 6;
/** The field names, brackets and ids around them in a request. */
const MESSAGE_BYTES = 40;
const PART_BYTES = 60;

/** The one rule of what counts: every counter differs only in how it counts a text. */
export function countMessage(message: Message, countText: CountText): number {
  let tokens = MESSAGE_TOKENS;
  for (const part of message.parts) tokens += countPart(part, countText);
  return tokens;
}

function countPart(part: Part, countText: CountText): number {
  switch (part.type) {
    case 'text':
      return countText(part.text);
    case 'reasoning':
      return part.text === '' ? sealedTokens(part.signature?.length ?? 0) : countText(part.text);
    case 'call':
      return CALL_TOKENS + countText(part.tool) + countJson(part.input, countText);
    case 'result': {
      let tokens = RESULT_TOKENS;
      for (const piece of part.content) tokens += countPart(piece, countText);
      return tokens;
    }
    case 'media':
      return mediaTokens(part);
    case 'native':
      return countJson(part.block, (text) => (isBlob(text) ? blobTokens(text) : countText(text)));
  }
}

/** Estimated tokens of one part, without what a provider adds around a message. */
export const estimatePart = (part: Part): number => countPart(part, estimateText);

/** Estimated tokens of a message: what a session counts with unless it is given a `count`. */
export const estimateMessage = (message: Message): number => countMessage(message, estimateText);

/** About the bytes that a message takes in a JSON request. */
export function bytesOf(message: Message): number {
  let bytes = MESSAGE_BYTES;
  for (const part of message.parts) bytes += bytesOfPart(part);
  return bytes;
}

function bytesOfPart(part: Part): number {
  const around = PART_BYTES + (part.native === undefined ? 0 : bytesOfJson(part.native));
  switch (part.type) {
    case 'text':
      return around + bytesOfText(part.text);
    case 'reasoning':
      return around + bytesOfText(part.text) + (part.signature?.length ?? 0);
    case 'call':
      return around + part.callId.length + part.tool.length + bytesOfJson(part.input) + (part.signature?.length ?? 0);
    case 'result': {
      let bytes = around + part.callId.length;
      for (const piece of part.content) bytes += bytesOfPart(piece);
      return bytes;
    }
    case 'media':
      return around + (part.data?.length ?? 0) + (part.url?.length ?? 0) + (part.name?.length ?? 0);
    case 'native':
      return around + bytesOfJson(part.block);
  }
}

/** The bytes of a message that are pictures, documents, sounds and films, also those inside results. */
export function mediaBytesOf(message: Message): number {
  let bytes = 0;
  for (const part of message.parts) {
    if (part.type === 'media') bytes += bytesOfPart(part);
    if (part.type === 'result')
      for (const piece of part.content) if (piece.type === 'media') bytes += bytesOfPart(piece);
  }
  return bytes;
}

/** Images in a message, also those inside results and unknown blocks: providers limit how many there may be. */
export function imagesIn(message: Message): number {
  let images = 0;
  for (const part of message.parts) images += imagesInPart(part);
  return images;
}

function imagesInPart(part: Part): number {
  if (part.type === 'media') return part.kind === 'image' ? 1 : 0;
  let images = 0;
  if (part.type === 'result') for (const piece of part.content) images += imagesInPart(piece);
  if (part.type === 'native') visitStrings(part.block, (text) => (images += isImageBlob(text) ? 1 : 0));
  return images;
}
