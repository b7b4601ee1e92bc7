import { type Message, type NewMessage, violationOf } from '@palimpsest/core';

/** What any provider would refuse about these messages; undefined when nothing is wrong. */
export function refusal(view: readonly Message[], history: readonly NewMessage[]): string | undefined {
  if (view.length === 0) return history.length === 0 ? undefined : 'empty view';
  const violation = violationOf(view);
  if (violation !== undefined) return `${violation.rule}: ${violation.detail}`;
  if (view[0]!.role === 'assistant' && history[0]!.role !== 'assistant') return 'starts with the assistant';
  const last = [...view].reverse().find((message) => message.role === 'assistant');
  const open = new Set<string>();
  for (const message of view.slice(last === undefined ? 0 : view.indexOf(last)))
    for (const part of message.parts) {
      if (part.type === 'call') open.add(part.callId);
      if (part.type === 'result') open.delete(part.callId);
    }
  if (open.size > 0) return `call ${[...open][0]} is left dangling`;
  for (const message of view)
    for (const part of message.parts)
      if (part.type === 'text' && part.text.trim() === '') return `blank text in ${message.id}`;
  return undefined;
}
