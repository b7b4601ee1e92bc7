import { type CallPart, callsOf, type Json, type Message, resultsOf } from '@palimpsest/core';

/** The one thing about an input that tells a call from others: its file, command, pattern or words. */
export function subjectOf(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return typeof input === 'string' ? input : '';
  const fields = input as { readonly [key: string]: Json };
  if (typeof fields.pattern === 'string' && typeof fields.path === 'string')
    return `${fields.pattern} in ${fields.path}`;
  for (const key of ['path', 'command', 'pattern', 'reference', 'query', 'name', 'description', 'instructions']) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value.replace(/\s+/g, ' ').trim();
  }
  const [first] = Object.values(fields);
  return Array.isArray(first) ? `${first.length} items` : '';
}

export const callLabel = ({ tool, input }: Pick<CallPart, 'tool' | 'input'>): string =>
  `${tool} ${subjectOf(input)}`.trim();

/** Names for the messages of a transcript, as a reader would call them. */
export function labelsOf(transcript: readonly Message[]): (message: Message) => string {
  const labels = new Map<string, string>();
  let calls: readonly CallPart[] = [];
  for (const message of transcript) {
    if (message.role === 'assistant') calls = callsOf(message);
    labels.set(message.id, labelOf(message, calls));
  }
  return (message) => labels.get(message.id) ?? message.role;
}

function labelOf(message: Message, calls: readonly CallPart[]): string {
  if (message.role === 'assistant') {
    const made = callsOf(message);
    return made.length === 0 ? 'the model said' : `call of ${made.map(callLabel).join(', ')}`;
  }
  const results = resultsOf(message).flatMap(({ callId }) => calls.find((call) => call.callId === callId) ?? []);
  if (results.length > 0) return `result of ${results.map(callLabel).join(', ')}`;
  return message.origin === 'human' ? 'the user said' : `from the ${message.origin}`;
}
