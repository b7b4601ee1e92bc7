import { readFile, stat } from 'node:fs/promises';
import { createSession, type Edit, type EditsEntry, type Message, type Session } from '@palimpsest/core';
import { listRecords, readCompacted } from '../recordings/compacted-file.ts';
import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import type { FoundSession } from './find-session.ts';
import { ANY_WINDOW, openStore, storeFolder } from './store-folder.ts';

/** A session to look things up in: one of ours, a recording of another agent, or what `compact --to json` wrote. */
export async function openRecallable(
  found: FoundSession,
  dir: string | undefined,
  environment: Terminal['environment'],
): Promise<Session> {
  if (found.type === 'file') {
    const there = await stat(found.file).catch(() => undefined);
    if (there?.isDirectory()) throw new UsageError(`${found.file} is a folder: name a file in it`);
    return openFile(found.file);
  }
  const { records } = await openStore(storeFolder(environment, dir)).read(found.id);
  return createSession({ window: ANY_WINDOW, records });
}

async function openFile(file: string): Promise<Session> {
  const compacted = readCompacted(await readFile(file, 'utf8').catch(() => ''));
  if (compacted !== undefined) return createSession({ window: ANY_WINDOW, records: listRecords(compacted) });
  const { messages } = await openRecording(file);
  const session = createSession({ window: ANY_WINDOW, broken: 'mend' });
  for (const message of messages) session.append(message);
  return session;
}

/** The reference of the newest standing edit that hides a message or a part of it. */
export function findHidingRef(session: Session): (message: Message) => string | undefined {
  const { entries } = session.ledger();
  const reverted = new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));
  const edits = entries
    .filter((entry): entry is EditsEntry => entry.type === 'edits' && !reverted.has(entry.walk))
    .flatMap((entry) => entry.edits)
    .filter((edit) => edit.type !== 'insert');
  const places = new Map(session.transcript().map((message, place) => [message.id, place]));
  const hides = (edit: Exclude<Edit, { type: 'insert' }>, message: Message): boolean => {
    if (edit.type !== 'fold') return edit.message === message.id;
    const place = places.get(message.id) ?? -1;
    return (places.get(edit.from) ?? Infinity) <= place && place <= (places.get(edit.to) ?? -1);
  };
  return (message) => edits.findLast((edit) => hides(edit, message))?.ref;
}
