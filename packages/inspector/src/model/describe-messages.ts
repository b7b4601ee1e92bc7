import { type CallPart, cutHead, type Message, type Part, partText, redact } from '@palimpsest/core';
import { classifyMessage, countOnce, type Made, mainKind } from './classify-message.ts';
import type { MadeMessage, MessageTable } from './inspection.ts';

const TITLE_CHARS = 140;
/** More than this of a text is not looked at for its title. */
const LOOKED_CHARS = 2_000;

/** A text on one line, without what moves a reader's eye: controls, marks of direction, runs of space. */
export const toLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const shorten = (text: string): string => {
  const line = redact(toLine(text.slice(0, LOOKED_CHARS)));
  return line.length <= TITLE_CHARS ? line : `${cutHead(line, TITLE_CHARS - 1)}…`;
};

/** A page with more would be too large for a browser. */
const MOST_MESSAGES = 200_000;

/** All that was said, as the page lists it. */
export const describeMessages = (messages: readonly Message[]): MessageTable => {
  if (messages.length > MOST_MESSAGES)
    throw new Error(`a page shows ${MOST_MESSAGES} messages at most, and this session has ${messages.length}`);
  const callOf = findCalls(messages);
  return {
    ids: messages.map(({ id }) => id),
    kinds: messages.map((message) => mainKind(classifyMessage(message))),
    tokens: messages.map(countOnce),
    times: messages.map(({ at }) => at ?? null),
    titles: messages.map((message) => titleMessage(message, callOf)),
  };
};

/** The first call of each id, which a result's title names. */
function findCalls(messages: readonly Message[]): (callId: string) => CallPart | undefined {
  const calls = new Map<string, CallPart>();
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'call' && !calls.has(part.callId)) calls.set(part.callId, part);
  return (callId) => calls.get(callId);
}

/** The beginning of what a message says. */
export function titleMessage(message: Message, callOf: (callId: string) => CallPart | undefined): string {
  const told = message.parts.flatMap((part) => titlePart(part, callOf));
  return shorten(told.join(' · ')) || `${message.role}, without words`;
}

function titlePart(part: Part, callOf: (callId: string) => CallPart | undefined): readonly string[] {
  if (part.type === 'call') return [`${part.tool} ${JSON.stringify(part.input)?.slice(0, LOOKED_CHARS) ?? ''}`];
  if (part.type === 'reasoning') return part.text === '' ? [] : [`thinks: ${part.text.slice(0, LOOKED_CHARS)}`];
  const text = partText(part).slice(0, LOOKED_CHARS);
  if (part.type !== 'result') return [text];
  const call = callOf(part.callId);
  return [`${call?.tool ?? 'a tool'}${part.isError === true ? ' failed' : ''} → ${text}`];
}

/** A message that nobody said, as the page lists it. */
export const describeMade = (message: Message, kind: Made | undefined): readonly MadeMessage[] =>
  kind === undefined
    ? []
    : [{ id: message.id, kind, tokens: countOnce(message), title: titleMessage(message, () => undefined) }];
