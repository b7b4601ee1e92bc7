import { type ContentPart, type Message, mediaMarker, type Part, partText } from '@palimpsest/core';
import { type Fields, isFields, isSameJson } from '@palimpsest/core/json';
import { omitUndefined } from '../../fields.ts';
import { readMessages } from '../../readers/pi/message.ts';
import { dropEmptyParts } from '../../recording/recorder.ts';
import { findRemainder, type Remainder } from '../../recording/remainder.ts';

/** Fills in id, parentId and timestamp of an entry; `index` counts the entries of one message. */
export type Frame = (index: number) => { readonly id: string; readonly timestamp: string };

function writeBlock(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, ...omitUndefined({ thinkingSignature: part.signature }) };
    case 'call': {
      const input = isFields(part.input) ? part.input : { input: part.input };
      return {
        type: 'toolCall',
        id: part.callId,
        name: part.tool,
        arguments: input,
        ...omitUndefined({ thoughtSignature: part.signature }),
      };
    }
    case 'media':
      return part.kind === 'image' && part.data !== undefined
        ? { type: 'image', data: part.data, mimeType: part.mediaType }
        : { type: 'text', text: mediaMarker(part) };
    case 'native':
      return part.wire === 'pi' && isFields(part.block)
        ? part.block
        : { type: 'text', text: JSON.stringify(part.block) };
    case 'result':
      return { type: 'text', text: partText(part) };
  }
}

/** Who answered, as pi names providers; it decides by that whether thinking can be sent back. */
function findProvider(model: string): Fields {
  if (model.startsWith('claude')) return { api: 'anthropic-messages', provider: 'anthropic' };
  if (/^(?:gpt|o\d)/.test(model)) return { api: 'openai-responses', provider: 'openai' };
  if (model.startsWith('gemini')) return { api: 'google-generative-ai', provider: 'google' };
  return { api: 'unknown', provider: 'unknown' };
}

export interface EntryOptions {
  readonly model: string;
  readonly usage: Fields;
  readonly toolOf: (callId: string) => string;
  readonly remainder?: Remainder;
}

function assistantEntry(message: Message, options: EntryOptions): Fields {
  const stopReason = message.parts.some((part) => part.type === 'call') ? 'toolUse' : 'stop';
  const content = message.parts.map(writeBlock);
  const about = { ...findProvider(options.model), model: options.model, usage: options.usage, stopReason };
  return { type: 'message', message: { role: 'assistant', content, ...about } };
}

function resultEntry(part: Extract<Part, { type: 'result' }>, options: EntryOptions): Fields {
  const content = part.content.map((piece: ContentPart) => writeBlock(piece));
  const about = {
    toolCallId: part.callId,
    toolName: options.toolOf(part.callId),
    content,
    isError: part.isError === true,
  };
  return { type: 'message', message: { role: 'toolResult', ...about } };
}

function userEntry(message: Message, parts: readonly Part[]): Fields {
  const content = parts.map(writeBlock);
  if (message.origin === 'human') return { type: 'message', message: { role: 'user', content } };
  // What no user typed goes as a message of an extension, which pi shows to the model and not on the screen.
  return { type: 'custom_message', customType: 'palimpsest', content, display: false };
}

/** The entries of one message: each result is one, all else another; beside the first whatever they cannot say. */
export function makeEntries(message: Message, frame: Frame, options: EntryOptions): readonly Fields[] {
  const places = message.parts.map((_, index) => index);
  const isResult = (i: number): boolean => message.parts[i]!.type === 'result';
  const [results, rest] = [places.filter(isResult), places.filter((i) => !isResult(i))];
  const bare: Fields[] = [];
  const from: number[] = [];
  if (message.role === 'assistant') {
    bare.push(assistantEntry(message, options));
    from.push(...places);
  } else {
    for (const i of results) bare.push(resultEntry(message.parts[i] as Extract<Part, { type: 'result' }>, options));
    if (rest.length > 0 || results.length === 0)
      bare.push(
        userEntry(
          message,
          rest.map((i) => message.parts[i]!),
        ),
      );
    from.push(...results, ...rest);
  }
  const framed = bare.map((entry, index) => {
    const { id, timestamp } = frame(index);
    const inner =
      entry.message === undefined
        ? {}
        : { message: { ...(entry.message as Fields), timestamp: Date.parse(timestamp) } };
    return { ...entry, id, timestamp, ...inner };
  });
  const remainder = findEntryRemainder(message, framed, from, options.remainder);
  return remainder === undefined
    ? framed
    : framed.map((entry, i) => (i === 0 ? { ...entry, palimpsest: remainder } : entry));
}

function findEntryRemainder(
  message: Message,
  entries: readonly (Fields & { readonly id: string })[],
  from: readonly number[],
  extra: Remainder | undefined,
): Remainder | undefined {
  const read = entries.flatMap((entry) => readMessages(entry, entry.id));
  const isPlain =
    entries.length === 1 && read.length === 1 && isSameJson(read[0], message) && dropEmptyParts(message) === message;
  if (isPlain && extra === undefined) return undefined;
  const plain: Message = { ...read[0]!, parts: read.flatMap((one) => one.parts) };
  return { ...findRemainder(plain, message, from), ...(entries.length > 1 ? { lines: entries.length } : {}), ...extra };
}
