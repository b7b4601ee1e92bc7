import { createSession } from '@palimpsest/core';
import { type Recording, readSession, writeClaudeCode } from '@palimpsest/formats';
import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';
import { type FoundSession, findNewestSession, findSession } from './find-session.ts';
import { ANY_WINDOW, openStore, storeFolder } from './store-folder.ts';

/** What is called a session's name where it is printed or put into a file's name. */
export const nameOf = (found: FoundSession): string => (found.type === 'own' ? found.id : found.file);

/** The session that is named, or the newest; which one that is, is said. */
export async function findNamed(terminal: Terminal, named: string | undefined, dir?: string): Promise<FoundSession> {
  if (named !== undefined) return findSession(terminal, named, dir);
  const newest = await findNewestSession(terminal, dir);
  terminal.complain(`palimpsest: the newest session: ${nameOf(newest)}`);
  return newest;
}

/** What another agent recorded; of a session of ours all that was said, as if an agent had recorded it. */
export async function readFound(terminal: Terminal, found: FoundSession, dir?: string): Promise<Recording> {
  if (found.type === 'file') return openRecording(found.file);
  const { records } = await openStore(storeFolder(terminal.environment, dir)).read(found.id);
  const messages = createSession({ window: ANY_WINDOW, records }).transcript();
  return readSession(writeClaudeCode({ id: found.id, messages, usage: [], compactions: [] }));
}
