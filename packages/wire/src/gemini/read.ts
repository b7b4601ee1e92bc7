import type { Json, Part } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { listIn } from '../body/list-in.ts';
import { mark, messageFields, native, nativePart } from '../body/native.ts';
import type { Read } from '../body/splice.ts';
import { GEMINI, type GeminiBody, KINDS, toCamelCase, type Waiting } from './body.ts';
import { keepUnder, readMedia } from './read-media.ts';
import { readResponse } from './read-response.ts';

/** Calls need not have ids here; those without get one from their place, and responses find them by name and order. */
export function readContents(body: GeminiBody): readonly Read<unknown>[] {
  let waiting: readonly Waiting[] = [];
  const reads: Read<unknown>[] = [];
  for (const content of listIn(body, 'contents', GEMINI)) {
    const read = readContent(content, reads.length, waiting);
    if (read.role === 'assistant') waiting = read.parts.filter((part) => part.type === 'call');
    else {
      const answered = new Set(read.parts.map((part) => (part.type === 'result' ? part.callId : '')));
      waiting = waiting.filter(({ callId }) => !answered.has(callId));
    }
    reads.push(read);
  }
  return reads;
}

function readContent(content: unknown, index: number, waiting: readonly Waiting[]): Read<unknown> {
  const fields = asFields(content);
  const role = fields.role === 'model' ? 'assistant' : 'user';
  const isKnown = ['user', 'model', 'function', undefined].includes(fields.role as string | undefined);
  const parts: Part[] = [...messageFields(GEMINI, omitFields(fields, 'parts', ...(isKnown ? ['role'] : [])))];
  let left = waiting;
  for (const [at, given] of asList(fields.parts).entries()) {
    const part = isFields(given)
      ? readPart(toCamelCase(given), given, `gemini-${index}-${at}`, left)
      : nativePart(GEMINI, given);
    if (part === undefined) continue;
    if (part.type === 'result') left = left.filter(({ callId }) => callId !== part.callId);
    parts.push(part);
  }
  const isTool =
    parts.some((part) => part.type === 'result') &&
    parts.every((part) => part.type === 'result' || part.type === 'native');
  const origin = role === 'assistant' ? 'model' : isTool ? 'tool' : isKnown ? 'human' : 'harness';
  return { role, origin, parts, source: content };
}

function readPart(part: Fields, given: Fields, place: string, waiting: readonly Waiting[]): Part | undefined {
  const kinds = KINDS.filter((kind) => part[kind] !== undefined && part[kind] !== null);
  const kind = kinds.length === 1 ? kinds[0]! : '';
  const rest = omitFields(part, kind, 'thought', 'thoughtSignature');
  const signature = asString(part.thoughtSignature);
  const signed = signature === undefined ? {} : { signature };
  if (kind === 'text' && typeof part.text === 'string') {
    // A signature may come on a text that is empty; it has to go back all the same.
    if (isBlank(part.text)) return signature === undefined ? undefined : nativePart(GEMINI, given);
    if (part.thought === true) return { type: 'reasoning', text: part.text, ...signed, ...mark(GEMINI, rest) };
    return { type: 'text', text: part.text, ...native(GEMINI, omitFields(part, 'text')) };
  }
  const call = asFields(part.functionCall);
  if (kind === 'functionCall' && typeof call.name === 'string')
    return {
      type: 'call',
      callId: asString(call.id) ?? place,
      tool: call.name,
      input: (call.args ?? {}) as Json,
      ...signed,
      ...mark(GEMINI, {
        ...omitFields(part, kind, 'thoughtSignature'),
        ...keepUnder('call', omitFields(call, 'name', 'args')),
      }),
    };
  if (kind === 'functionResponse' && isFields(part.functionResponse))
    return readResponse(part.functionResponse, omitFields(part, kind), place, waiting);
  return readMedia(part, kind) ?? nativePart(GEMINI, given);
}
