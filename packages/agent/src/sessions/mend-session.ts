import {
  callsOf,
  type NewMessage,
  result,
  results as resultsMessage,
  resultsOf,
  type Session,
  text,
} from '@palimpsest/core';

/** What the host tells the model in the user's place; never taken for the user's words. */
export const noteToModel = (body: string): NewMessage => ({
  role: 'user',
  origin: 'harness',
  parts: [text(`[${body}]`)],
});

export const INTERRUPTED = 'The user interrupted this. Wait for what they say next.';
const RESTARTED = 'The agent was stopped here and started again. Wait for what the user says next.';
const UNANSWERED = 'No result: the agent was stopped before this call was done.';

/**
 * Makes a transcript whose writer was killed ready to go on: calls in flight are answered, and the model is told. Answers
 * with what was done, if anything.
 */
export function mendSession(session: Session, at: number): string | undefined {
  const transcript = session.transcript();
  const last = transcript.at(-1);
  if (last === undefined) return undefined;
  const opener = transcript.findLastIndex((message) => message.role === 'assistant');
  const answered = new Set(
    transcript.slice(opener + 1).flatMap((message) => resultsOf(message).map((part) => part.callId)),
  );
  const open = opener < 0 ? [] : callsOf(transcript[opener]!).filter((call) => !answered.has(call.callId));
  if (open.length > 0)
    session.append({ ...resultsMessage(open.map((call) => result(call.callId, UNANSWERED, true))), at });
  const isSettled =
    last.role === 'assistant' ? open.length === 0 : last.origin === 'harness' || last.origin === 'palimpsest';
  if (isSettled) return undefined;
  session.append({ ...noteToModel(RESTARTED), at });
  const calls = `${open.length} ${open.length === 1 ? 'call that was' : 'calls that were'} in flight`;
  return open.length === 0 ? 'the last request was not answered' : `${calls} got no result`;
}
