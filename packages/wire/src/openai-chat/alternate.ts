import type { Message } from '@palimpsest/core';
import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { OPENING } from '../body/opening.ts';
import { callsIn, closeSeam, splice, unshare } from '../body/splice.ts';
import { makeEncoder } from '../make-encoder.ts';
import type { EncodeOptions } from '../wire.ts';
import { assemble } from './encode.ts';
import { mendBody } from './mend.ts';
import { type ChatBody, isSystem, readMessages } from './read.ts';

const BRIDGE = 'Noted.';

/**
 * For servers whose chat template insists on user and assistant in turn. The seam is closed too, so the last message of
 * the shared head may grow at its end: there validity comes before sameness.
 */
export const encodeAlternating = makeEncoder<ChatBody>({ layView, mendBody });

function layView<B extends ChatBody>(view: readonly Message[], body: B, { ids }: EncodeOptions): B {
  const { lead, reads } = readMessages(body);
  let spliced = closeSeam(splice(view, reads, ids), view, reads);
  if (spliced.shared === view.length && spliced.shared === reads.length) return body;
  while (spliced.shared > 0 && isJoined(view[spliced.shared - 1]!, spliced.rest[0]?.message))
    spliced = unshare(spliced, 1, view, reads);
  const head = body.messages.slice(0, lead + spliced.shared);
  const messages = [
    ...head,
    ...alternate(
      assemble(spliced.rest, callsIn(view.slice(0, spliced.shared))),
      asFields(body.messages[lead + spliced.shared - 1]),
    ),
  ];
  return { ...body, messages };
}

const isJoined = (last: Message, next: Message | undefined): boolean =>
  next !== undefined && last.role === next.role && !isResults(last) && !isResults(next);

const isResults = (message: Message): boolean => message.parts.every((part) => part.type === 'result');

const isTool = (role: unknown): boolean => role === 'tool' || role === 'function';

function alternate(messages: readonly Fields[], before: Fields): readonly Fields[] {
  const out: Fields[] = [];
  for (const given of messages) {
    const message = isSystem(given.role) ? { ...given, role: 'user' } : given;
    const last = out.at(-1) ?? (isSystem(before.role) ? {} : before);
    if (last.role === undefined && message.role === 'assistant') out.push({ role: 'user', content: OPENING });
    if (isTool(last.role) && message.role === 'user') out.push({ role: 'assistant', content: BRIDGE });
    if (out.length > 0 && out.at(-1)!.role === message.role && !isTool(message.role))
      out.push(joinMessages(out.pop()!, message));
    else out.push(message);
  }
  return out;
}

function joinMessages(a: Fields, b: Fields): Fields {
  const calls = [...asList(a.tool_calls), ...asList(b.tool_calls)];
  return {
    ...a,
    ...b,
    content: joinContent(a.content, b.content),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function joinContent(a: unknown, b: unknown): unknown {
  if (a === null || a === undefined) return b;
  if (b === null || b === undefined) return a;
  if (typeof a === 'string' && typeof b === 'string') return `${a}\n\n${b}`;
  const list = (content: unknown): readonly unknown[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
  return [...list(a), ...list(b)];
}
