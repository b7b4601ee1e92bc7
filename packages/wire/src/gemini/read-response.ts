import type { ContentPart, ResultPart } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { native, nativePart } from '../body/native.ts';
import { GEMINI, toCamelCase, type Waiting } from './body.ts';
import { keepUnder, readMedia } from './read-media.ts';

/** `output` and `error` are the documented keys of a response, `result` a common one; anything else counts as JSON. */
const TEXT_KEYS = ['output', 'error', 'result'];

export function readResponse(response: Fields, around: Fields, place: string, waiting: readonly Waiting[]): ResultPart {
  const id = asString(response.id);
  const name = asString(response.name);
  const call = waiting.find(({ callId }) => callId === id) ?? waiting.find(({ tool }) => tool === name);
  const said = asFields(response.response);
  const [key = '', ...more] = Object.keys(said);
  const isText = more.length === 0 && TEXT_KEYS.includes(key) && typeof said[key] === 'string';
  const content = isText ? words(String(said[key])) : key === '' ? [] : [json(said)];
  const media = asList(response.parts).map(readPiece);
  const fields = {
    ...around,
    ...(isText && key === 'result' ? { key } : {}),
    ...(media.length > 0 ? { inside: true } : {}),
    ...keepUnder('response', omitFields(response, 'response', 'parts')),
  };
  return {
    type: 'result',
    callId: call?.callId ?? id ?? place,
    content: [...content, ...media],
    ...(isText && key === 'error' ? { isError: true } : {}),
    ...native(GEMINI, fields),
  };
}

const words = (said: string): readonly ContentPart[] => (isBlank(said) ? [] : [{ type: 'text', text: said }]);

const json = (said: Fields): ContentPart => ({
  type: 'text',
  text: JSON.stringify(said),
  ...native(GEMINI, { json: true }),
});

function readPiece(given: unknown): ContentPart {
  const part = isFields(given) ? toCamelCase(given) : {};
  return readMedia(part, 'inlineData') ?? readMedia(part, 'fileData') ?? nativePart(GEMINI, given);
}
