import { hash } from 'node:crypto';
import { type Message, type Part, partText, type ResultPart, resultsOf } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';

/** What harnesses put into messages and take out or change again, request by request. */
const PASSING: readonly RegExp[] = [/<(system[-_]reminder)\b[^>]*>[\s\S]*?<\/\1>/gi, /^x-[a-z-]*billing-header:.*$/gim];

export const stripPassing = (text: string): string =>
  PASSING.reduce((left, pattern) => left.replace(pattern, ''), text).trim();

/**
 * A hash of everything up to each message, by what stays the same however a client tells it: without reminders and billing
 * lines, without reasoning, and of a result only whose it is. Two requests with the same trace up to a message may still
 * differ there; `compareTwins` says how.
 */
export function traceMessages(messages: readonly Message[]): readonly string[] {
  let running = '';
  return messages.map((message) => {
    running = traceBehind(running, message);
    return running;
  });
}

const TRACE_CHARS = 22;

/** The trace of a message behind that of the one before it. As one piece: a slice would hold the whole hash for as long as it is known. */
export function traceBehind(before: string, message: Message): string {
  const whole = hash('sha256', `${before}${describe(message)}`, 'base64url');
  return Buffer.from(whole, 'latin1').toString('latin1', 0, TRACE_CHARS);
}

const describe = ({ role, parts }: Message): string => JSON.stringify([role, ...parts.flatMap(describePart)]);

/** How much of both ends of a picture tells it from others. */
const MEDIA_CHARS = 200;

function describePart(part: Part): readonly unknown[] {
  switch (part.type) {
    case 'text': {
      const text = stripPassing(part.text);
      return text === '' ? [] : [text];
    }
    case 'reasoning':
      return [];
    case 'call':
      return [part.callId, part.tool, part.input];
    case 'result':
      return [part.callId];
    case 'media': {
      const { kind, mediaType, url, data = '' } = part;
      return [kind, mediaType, url, data.length, data.slice(0, MEDIA_CHARS), data.slice(-MEDIA_CHARS)];
    }
    case 'native':
      return [part.block];
  }
}

/** How a message tells what a kept one of the same trace tells. */
export type Likeness = 'same' | 'reminded' | 'unreasoned' | 'pruned' | 'other';

/**
 * `reminded`: it differs in passing words alone; `unreasoned`: in reasoning too. `pruned`: the client shortened results that
 * it has seen. `other`: a result says something else, so it is another message.
 */
export function compareTwins(kept: Message, given: Message): Likeness {
  if (isSameJson(kept.parts, given.parts)) return 'same';
  const others = new Map(resultsOf(given).map((result) => [result.callId, result]));
  let isPruned = false;
  for (const result of resultsOf(kept)) {
    const other = others.get(result.callId);
    if (other === undefined) return 'other';
    if (isSameJson(result.content, other.content)) continue;
    if (sizeOfResult(other) >= sizeOfResult(result)) return 'other';
    isPruned = true;
  }
  if (isPruned) return 'pruned';
  return isSameJson(kept.parts.filter(isReasoning), given.parts.filter(isReasoning)) ? 'reminded' : 'unreasoned';
}

const isReasoning = ({ type }: Part): boolean => type === 'reasoning';

const sizeOfResult = ({ content }: ResultPart): number => content.reduce((sum, piece) => sum + sizeOfPart(piece), 0);

const sizeOfPart = (part: Part): number => (part.type === 'media' ? (part.data?.length ?? 0) : partText(part).length);

/** Nobody can say such a name who has not been told: who does is the same client. */
const isSecret = (callId: string): boolean => callId.length >= 20 && new Set(callId).size >= 10;

/** Whether a history can only be its client's own: it names a call as a provider names it. */
export const hasProof = (messages: readonly Message[]): boolean =>
  messages.some(({ parts }) => parts.some((part) => part.type === 'call' && isSecret(part.callId)));
