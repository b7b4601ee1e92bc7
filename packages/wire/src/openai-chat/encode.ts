import type { CallPart, Message, ResultPart } from '@palimpsest/core';
import { asFields, type Fields } from '@palimpsest/core/json';
import { isForeign, isMessageFields, messageFieldsOf, nativeOf } from '../body/native.ts';
import { callsIn, closeSeam, type Piece, splice } from '../body/splice.ts';
import { makeEncoder } from '../make-encoder.ts';
import type { EncodeOptions } from '../wire.ts';
import { encodeCall, encodeMedia, encodePiece, encodeResult, isLegacy } from './encode-part.ts';
import { mendBody } from './mend.ts';
import { CHAT, type ChatBody, isSystem, readMessages, UNREAD } from './read.ts';

export const encode = makeEncoder<ChatBody>({ layView, mendBody });

function layView<B extends ChatBody>(view: readonly Message[], body: B, { ids }: EncodeOptions): B {
  const { lead, reads } = readMessages(body);
  const { shared, rest } = closeSeam(splice(view, reads, ids), view, reads);
  if (shared === view.length && shared === reads.length) return body;
  const tail = assemble(rest, callsIn(view.slice(0, shared)));
  return { ...body, messages: [...body.messages.slice(0, lead + shared), ...tail] };
}

/** Results directly behind their calls, whatever was said meanwhile; then what they showed; then the rest. */
export function assemble(pieces: readonly Piece<unknown>[], calls: Map<string, CallPart>): readonly Fields[] {
  const out: Fields[] = [];
  let results: Fields[] = [];
  let shown: Fields[] = [];
  let others: Fields[] = [];
  const flush = (): void => {
    out.push(...results, ...(shown.length === 0 ? [] : [{ role: 'user', content: shown }]), ...others);
    results = [];
    shown = [];
    others = [];
  };
  for (const { message, read, exact } of pieces) {
    const verbatim = exact ? asFields(read?.source) : undefined;
    if (message.role === 'assistant') {
      flush();
      for (const part of message.parts) if (part.type === 'call') calls.set(part.callId, part);
      const made = verbatim ?? encodeAssistant(message);
      if (made !== undefined) out.push(made);
      continue;
    }
    for (const part of message.parts) {
      if (part.type !== 'result') continue;
      results.push(verbatim ?? encodeResult(part, calls.get(part.callId)));
      if (verbatim === undefined) shown.push(...attachments(part, calls.get(part.callId)));
    }
    if (message.parts.every((part) => part.type === 'result')) continue;
    const made = verbatim ?? encodeUser(message);
    if (made !== undefined) others.push(made);
  }
  flush();
  return out;
}

function attachments(part: ResultPart, call: CallPart | undefined): readonly Fields[] {
  const media = part.content.flatMap((piece): readonly Fields[] => {
    const made = piece.type === 'media' ? encodeMedia(piece) : undefined;
    return made === undefined ? [] : [made];
  });
  if (media.length === 0) return [];
  return [{ type: 'text', text: `Shown by the result of ${call?.tool ?? part.callId}:` }, ...media];
}

function encodeAssistant(message: Message): Fields | undefined {
  const fields = messageFieldsOf(message, CHAT);
  const calls = message.parts.filter((part) => part.type === 'call');
  const legacy = calls.find(isLegacy);
  const listed = calls.filter((part) => part !== legacy).map(encodeCall);
  const unread = message.parts.flatMap((part) =>
    part.type === 'native' && isUnreadCall(part.block) ? [asFields(part.block).call] : [],
  );
  const pieces = message.parts.flatMap((part) => (isOutside(part) ? [] : encodePiece(part, 'assistant')));
  const called = [...listed, ...unread];
  const says = pieces.length + called.length > 0 || legacy !== undefined || 'refusal' in fields || 'audio' in fields;
  if (!says) return undefined;
  return {
    role: 'assistant',
    ...fields,
    content: pieces.length === 0 ? null : joinTexts(pieces),
    ...reasoningFields(message),
    ...(called.length === 0 ? {} : { tool_calls: called }),
    ...(legacy === undefined ? {} : { function_call: encodeCall(legacy).function }),
  };
}

const isUnreadCall = (block: unknown): boolean => asFields(block).type === UNREAD && 'call' in asFields(block);

const isOutside = (part: Message['parts'][number]): boolean =>
  isMessageFields(part) || (part.type === 'native' && isUnreadCall(part.block));

function reasoningFields(message: Message): Fields {
  const fields: Record<string, unknown> = {};
  for (const part of message.parts) {
    if (part.type !== 'reasoning' || isForeign(part, CHAT)) continue;
    const { field, details } = nativeOf(part, CHAT);
    if (typeof field === 'string') fields[field] = details ?? part.text;
  }
  return fields;
}

function encodeUser(message: Message): Fields | undefined {
  const unread = message.parts.find((part) => part.type === 'native' && asFields(part.block).type === UNREAD);
  if (unread?.type === 'native' && unread.wire === CHAT) return asFields(asFields(unread.block).message);
  const { role: given, ...fields } = messageFieldsOf(message, CHAT);
  const role = isSystem(given) ? String(given) : 'user';
  const pieces = message.parts.flatMap((part) => (isMessageFields(part) ? [] : encodePiece(part, role)));
  return pieces.length === 0 ? undefined : { role, ...fields, content: joinTexts(pieces) };
}

/** One plain text travels as a string, which every server behind this format takes. */
function joinTexts(pieces: readonly Fields[]): unknown {
  const [first] = pieces;
  return pieces.length === 1 && first?.type === 'text' && Object.keys(first).length === 2 ? first.text : pieces;
}
