import type { MessageId, Session } from '@palimpsest/core';
import type { Store } from '@palimpsest/store';
import { describeSession } from './kept-session.ts';
import { newSessionId } from './session-ids.ts';

/** What is forked: the session, its folder, and how it is kept. */
interface Forked {
  readonly session: Session;
  readonly root: string;
  preset(): string | undefined;
}

/**
 * A session of its own that shares the beginning of another, all before a message of it; what was decided about the rest is
 * not in it. The other stays as it is. Answers with its id, or undefined where nothing stands before the message.
 */
export async function forkBefore(
  { session, root, preset }: Forked,
  message: MessageId,
  store: Store,
  now: number,
): Promise<string | undefined> {
  const transcript = session.transcript();
  const last = transcript[transcript.findIndex(({ id }) => id === message) - 1];
  if (last === undefined) return undefined;
  const id = newSessionId(root, new Date(now));
  const { journal, stash } = await store.open(id);
  try {
    await journal.append([describeSession(id, now, preset())]);
    const fork = session.fork(last.id, { journal, ports: { stash } });
    await fork.saved();
  } finally {
    await journal.close();
  }
  return id;
}
