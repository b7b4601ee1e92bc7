import { createHash, randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type JournalRecord, wordsOf } from '@palimpsest/core';
import type { SessionInfo, Store } from '@palimpsest/store';
import { keepHead } from '@palimpsest/terminal';
import { AgentError } from '../agent-error.ts';

export const homeOf = (environment: Readonly<Record<string, string | undefined>>): string =>
  resolve(environment.PALIMPSEST_HOME || join(homedir(), '.palimpsest'));

/** Sessions of one folder share this part of their name, so that they can be found without being opened. */
export const folderMark = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 6);

export function newSessionId(root: string, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${folderMark(root)}-${randomBytes(2).toString('hex')}`;
}

/** A subagent's session is named after its parent's; those of an earlier run are not written into. */
export async function freeTaskId(store: Store, parent: string, others: Iterable<string> = []): Promise<string> {
  const start = `${parent}-task-`;
  const ids = [...(await store.list()).map(({ id }) => id), ...others];
  const taken = ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length));
  return `${start}${Math.max(0, ...taken.map(Number)) + 1}`;
}

const isTask = ({ id }: SessionInfo): boolean => /-task-\d+$/.test(id);

/** Newest first; subagents' sessions belong to their parent's. */
export async function sessionsOf(store: Store, root: string): Promise<readonly SessionInfo[]> {
  const mark = `-${folderMark(root)}-`;
  return (await store.list()).filter((info) => info.id.includes(mark) && !isTask(info));
}

/** A session by its id or the beginning of it; the folder's newest where none is named. */
export async function sessionToResume(store: Store, root: string, wanted: string | undefined): Promise<string> {
  if (wanted === undefined) {
    const [newest] = await sessionsOf(store, root);
    if (newest !== undefined) return newest.id;
    throw new AgentError('no-session', 'no session of this folder was kept; start one without --resume.');
  }
  const all = await store.list();
  const found = all.filter(({ id }) => id === wanted);
  const close = found.length > 0 ? found : all.filter((info) => info.id.startsWith(wanted) && !isTask(info));
  if (close.length === 1) return close[0]!.id;
  const many = close.length > 1 ? `${close.length} sessions begin with "${wanted}"; write more of the id` : undefined;
  throw new AgentError('no-session', many ?? `there is no session "${wanted}"; /resume lists those of this folder.`);
}

/** What a session was about: the user's first words. */
export function titleOf(records: readonly JournalRecord[]): string {
  for (const record of records) {
    const words = record.type === 'message' ? wordsOf(record.message).trim() : '';
    if (words !== '') return keepHead(words.replace(/\s+/g, ' '), 60);
  }
  return '(nothing was said)';
}
