import { type ContentPart, type Part, type ResultPart, text } from '@palimpsest/core';
import { mediaData, mediaUrl } from '../../content/media.ts';
import { signed } from '../../content/signature.ts';
import { at, type Fields, fieldsOf, jsonOf, recordsOf, stringOf, wordOf } from '../../fields.ts';

/** Parts of Gemini's `Content`. */

const WIRE = 'gemini';

const native = (part: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: jsonOf(part) });

function contentFrom(part: Fields): ContentPart {
  const words = stringOf(part.text);
  if (words !== undefined) return text(words);
  const data = stringOf(at(part.inlineData, 'data'));
  if (data !== undefined)
    return mediaData(stringOf(at(part.inlineData, 'mimeType')) ?? 'application/octet-stream', data);
  const url = stringOf(at(part.fileData, 'fileUri'));
  if (url !== undefined) return mediaUrl(url, stringOf(at(part.fileData, 'mimeType')) ?? 'application/octet-stream');
  return native(part);
}

/** Content that may be a string, one part or a list of parts. */
export function looseParts(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ text: content }];
  if (Array.isArray(content)) return content.flatMap(looseParts);
  return fieldsOf(content) === undefined ? [] : [content as Fields];
}

/** A model's part. Calls have ids in newer recordings only; `callId` is for those that have none. */
export function modelPart(part: Fields, callId: string): Part {
  const signature = signed(WIRE, wordOf(part.thoughtSignature));
  const called = fieldsOf(part.functionCall);
  if (called !== undefined)
    return {
      type: 'call',
      callId: wordOf(called.id) ?? callId,
      tool: stringOf(called.name) ?? '',
      input: jsonOf(called.args ?? {}),
      ...signature,
    };
  if (part.thought === true) return { type: 'reasoning', text: stringOf(part.text) ?? '', ...signature };
  return contentFrom(part);
}

/** The words of a `functionResponse`: tools answer with `output` or `error`, others with an object of their own. */
export function resultFrom(response: Fields, callId: string): ResultPart {
  const body = fieldsOf(response.response);
  const error = body?.error;
  const said = body?.output ?? error;
  const words = typeof said === 'string' ? said : JSON.stringify(said ?? body ?? '');
  const content = [...(words === '' ? [] : [text(words)]), ...recordsOf(response.parts).map(contentFrom)];
  return { type: 'result', callId, content, ...(error === undefined ? {} : { isError: true }) };
}

export const userPart = (part: Fields, callIdOf: (response: Fields) => string): Part => {
  const response = fieldsOf(part.functionResponse);
  return response === undefined ? contentFrom(part) : resultFrom(response, callIdOf(response));
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
