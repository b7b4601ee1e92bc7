import type { Message } from '@palimpsest/core';

/**
 * What is broken in a history, in words. Pairing is positional: results answer the calls of the assistant message
 * before them. Calls at the very end may still be answered and are not counted.
 */
export function describeBrokenPairs(messages: readonly Message[]): readonly string[] {
  let open = new Set<string>();
  let unanswered = 0;
  let orphans = 0;
  for (const message of messages) {
    if (message.role === 'assistant') {
      unanswered += open.size;
      open = new Set();
    }
    for (const part of message.parts) {
      if (part.type === 'call') open.add(part.callId);
      if (part.type === 'result' && !open.delete(part.callId)) orphans++;
    }
  }
  const notes: string[] = [];
  if (unanswered > 0) notes.push(`${unanswered} call(s) were never answered`);
  if (orphans > 0) notes.push(`${orphans} result(s) do not follow their call`);
  if (open.size > 0) notes.push(`${open.size} call(s) at the end have no result`);
  return notes;
}
