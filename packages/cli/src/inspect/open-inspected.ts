import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createSession, type JournalRecord, type Session } from '@palimpsest/core';
import { type Inspector, inspectForeign, inspectOwn, type Served } from '@palimpsest/inspector';
import { systemClock } from '@palimpsest/wire';
import { quoteWord } from '../options/quote-word.ts';
import { listRecords, readCompacted } from '../recordings/compacted-file.ts';
import { openRecording } from '../recordings/open-recording.ts';
import type { FoundSession } from '../stores/find-session.ts';
import { ANY_WINDOW, openStore, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

/** How long a change waits for whoever has the session at the moment. */
const PATIENCE_MS = 1_000;

/** Something that a page can be made of, read again whenever it has changed. */
export interface Inspected extends Pick<Served, 'undo' | 'pin'> {
  readonly title: string;
  /** The file that grows while the session runs. */
  readonly file: string;
  /** Undefined for a session of ours, which is no file to a user. */
  readonly input?: string;
  readonly read: () => Promise<Inspector>;
}

interface Where extends Pick<Terminal, 'environment' | 'signal'> {
  readonly dir?: string;
  /** The window of a session of ours, where its journal is too old to say it. */
  readonly window?: number;
}

/** A recording of another agent, what `compact --to json` wrote, or a session of ours. */
export const openInspected = (found: FoundSession, where: Where): Inspected =>
  found.type === 'file' ? openFile(found.file, where) : openOwn(found.id, where);

const openFile = (file: string, { window }: Where): Inspected => ({
  title: basename(file),
  file,
  input: file,
  async read() {
    const stated = window === undefined ? {} : { window };
    const compacted = readCompacted(await readFile(file, 'utf8').catch(() => ''));
    if (compacted !== undefined)
      return inspectOwn(listRecords(compacted), {
        title: basename(file),
        recallBy: `palimpsest recall ${quoteWord(file)}`,
        ...stated,
      });
    return inspectForeign(await openRecording(file), basename(file));
  },
});

function openOwn(id: string, { dir, environment, signal, window }: Where): Inspected {
  const folder = storeFolder(environment, dir);
  const store = openStore(folder);
  const recallBy = `palimpsest recall ${dir === undefined ? '' : `--dir ${quoteWord(dir)} `}${quoteWord(id)}`;
  const change = async (act: (session: Session) => void): Promise<void> => {
    const stored = await store.open(id, { signal, waitMs: PATIENCE_MS });
    try {
      const { records, journal } = stored;
      const session = createSession({ window: window ?? ANY_WINDOW, records, journal, ports: { clock: systemClock } });
      act(session);
      await session.saved();
    } finally {
      await stored.journal.close();
    }
  };
  return {
    title: id,
    file: join(folder, id, 'journal.jsonl'),
    read: async () => {
      const { records }: { readonly records: readonly JournalRecord[] } = await store.read(id);
      return inspectOwn(records, { title: id, id, recallBy, ...(window === undefined ? {} : { window }) });
    },
    undo: (walk) => change((session) => void session.undo(walk)),
    pin: (message, isPinned) => change((session) => (isPinned ? session.pin(message) : session.unpin(message))),
  };
}
