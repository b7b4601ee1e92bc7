import {
  callsOf,
  type Message,
  type NewMessage,
  partText,
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
  const calls = mendCalls(session, at);
  const tasks = findStoppedTasks(session.transcript());
  for (const task of tasks) session.append({ ...noteToModel(tellStopped(task)), at });
  const stopped =
    tasks.length === 0
      ? []
      : [`${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} in the background ended with the agent`];
  const done = [...(calls === undefined ? [] : [calls]), ...stopped];
  return done.length === 0 ? undefined : done.join('; ');
}

const tellStopped = (task: string): string =>
  `The task ${task} was stopped with the agent, before it had ended. What it did is in its session of that name; start another where it is still wanted.`;

/** Subagents in the background of which nothing was told since; they end with the agent, and nobody waits for them any more. */
function findStoppedTasks(transcript: readonly Message[]): readonly string[] {
  const open = new Set<string>();
  for (const message of transcript) {
    const words = message.parts.map(partText).join('\n');
    const [, begun] = message.origin === 'tool' ? (TASK_BEGUN.exec(words) ?? []) : [];
    if (begun !== undefined) open.add(begun);
    const [, told] = message.origin === 'harness' ? (TASK_TOLD.exec(words) ?? []) : [];
    if (told !== undefined) open.delete(told);
  }
  return [...open];
}

const TASK_BEGUN = /^The task (\S+-task-\d+) is at work in the background\./;
const TASK_TOLD = /^\[The task (\S+-task-\d+) /;

function mendCalls(session: Session, at: number): string | undefined {
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
