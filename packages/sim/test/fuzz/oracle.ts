import type { Message, Session, View } from '@palimpsest/core';

/** What a view must be, told without a line of the code that made it. An empty list: nothing is wrong. */

/** Calls are answered right behind them, once each, and nothing else is; no message is empty; ids are unique. */
export function checkPairs(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  const ids = new Set<string>();
  let waiting: string[] = [];
  messages.forEach((message, i) => {
    if (ids.has(message.id)) wrong.push(`id ${message.id} twice`);
    ids.add(message.id);
    if (message.parts.length === 0) wrong.push(`message ${i} is empty`);
    if (message.role === 'assistant') {
      if (waiting.length > 0) wrong.push(`calls ${waiting} unanswered before message ${i}`);
      waiting = message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
      if (message.parts.some((part) => part.type === 'result')) wrong.push(`a result in the model's message ${i}`);
      return;
    }
    for (const part of message.parts) {
      if (part.type !== 'result') continue;
      const at = waiting.indexOf(part.callId);
      if (at < 0) wrong.push(`result ${part.callId} in message ${i} answers nothing`);
      else waiting.splice(at, 1);
    }
  });
  if (waiting.length > 0) wrong.push(`calls ${waiting} unanswered at the end`);
  if (messages.length === 0) wrong.push('the view is empty');
  return wrong;
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Half of a surrogate pair anywhere in a body. */
export function findLoneSurrogate(value: unknown, path = '$'): string[] {
  if (typeof value === 'string') return LONE.test(value) ? [`half a pair at ${path}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findLoneSurrogate(inner, `${path}.${key}`));
}

/** Every reference that a view prints can be read, and so can every message that was ever said. */
export function checkReach(session: Session, view: View, ids: readonly string[]): string[] {
  const shown = view.messages.flatMap(({ origin, parts }) =>
    origin === 'palimpsest' ? parts.flatMap((part) => (part.type === 'text' ? [part.text.slice(0, 400)] : [])) : [],
  );
  const refs = shown.flatMap((text) => [...text.matchAll(/(?:recall |\()(e\d+)/g)].map((match) => match[1] ?? ''));
  return [...refs, ...ids].flatMap((ref) => {
    try {
      return session.recall.read(ref).messages.length > 0 ? [] : [`recall of ${ref} is empty`];
    } catch (error) {
      return [`recall of ${ref}: ${(error as Error).message}`];
    }
  });
}

/** Whether the words stand in the view as they were typed. */
export const holdsWords = (view: View, words: string): boolean =>
  view.messages.some(({ parts }) => parts.some((part) => part.type === 'text' && part.text.includes(words)));

/** Stands in a view for the results of calls in flight, and gives way to them. */
export const isStandIn = ({ id, origin }: Message): boolean => origin === 'palimpsest' && id.endsWith('/unanswered');

/** The view before is the beginning of this one, byte for byte. */
export const checkPrefix = (before: readonly string[], after: readonly string[]): string[] => {
  const at = before.findIndex((message, i) => message !== after[i]);
  return at < 0 ? [] : [`message ${at} of ${before.length} changed without a receipt`];
};
