import { type ContentPart, type Part, type ResultPart, text } from '@palimpsest/core';
import { asString, type Fields, isFields } from '@palimpsest/core/json';
import { mediaData, mediaUrl } from '../../content/media.ts';
import { signatureFields } from '../../content/signature.ts';
import { asFieldsOrNone, asJson, asRecords, asWord, getField } from '../../fields.ts';

/** Parts of Gemini's `Content`. */

const WIRE = 'gemini';

const nativePart = (part: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: asJson(part) });

function readContent(part: Fields): ContentPart {
  const words = asString(part.text);
  if (words !== undefined) return text(words);
  const data = asString(getField(part.inlineData, 'data'));
  if (data !== undefined)
    return mediaData(asString(getField(part.inlineData, 'mimeType')) ?? 'application/octet-stream', data);
  const url = asString(getField(part.fileData, 'fileUri'));
  if (url !== undefined)
    return mediaUrl(url, asString(getField(part.fileData, 'mimeType')) ?? 'application/octet-stream');
  return nativePart(part);
}

/** Content that may be a string, one part or a list of parts. */
export function listParts(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ text: content }];
  if (Array.isArray(content)) return content.flatMap(listParts);
  return !isFields(content) ? [] : [content as Fields];
}

/** A model's part. Calls have ids in newer recordings only; `callId` is for those that have none. */
export function readModelPart(part: Fields, callId: string): Part {
  const signature = signatureFields(WIRE, asWord(part.thoughtSignature));
  const called = asFieldsOrNone(part.functionCall);
  if (called !== undefined)
    return {
      type: 'call',
      callId: asWord(called.id) ?? callId,
      tool: asString(called.name) ?? '',
      input: asJson(called.args ?? {}),
      ...signature,
    };
  if (part.thought === true) return { type: 'reasoning', text: asString(part.text) ?? '', ...signature };
  return readContent(part);
}

/** The words of a `functionResponse`: tools answer with `output` or `error`, others with an object of their own. */
export function readResult(response: Fields, callId: string): ResultPart {
  const body = asFieldsOrNone(response.response);
  const error = body?.error;
  const said = body?.output ?? error;
  const words = typeof said === 'string' ? said : JSON.stringify(said ?? body ?? '');
  const content = [...(words === '' ? [] : [text(words)]), ...asRecords(response.parts).map(readContent)];
  return { type: 'result', callId, content, ...(error === undefined ? {} : { isError: true }) };
}

export const readUserPart = (part: Fields, callIdOf: (response: Fields) => string): Part => {
  const response = asFieldsOrNone(part.functionResponse);
  return response === undefined ? readContent(part) : readResult(response, callIdOf(response));
};

export const isSnapshot = (part: Part): boolean =>
  part.type === 'text' && part.text.trimStart().startsWith('<state_snapshot>');

/** What the host lets the model answer to a snapshot; no model said it. */
export function isSnapshotReceipt(parts: readonly Part[]): boolean {
  const [only, more] = parts;
  return (
    only?.type === 'text' && more === undefined && only.text.startsWith('Got it. Thanks for the additional context')
  );
}
