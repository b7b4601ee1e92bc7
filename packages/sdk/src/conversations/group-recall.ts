import { CompactionError, type Recalled, type SearchOptions, type Session, searchSessions } from '@palimpsest/core';
import type { GroupRecall } from './keep-options.ts';
import { NOTHING_STORED, type StoredGroup } from './stored-groups.ts';

/** Of two sessions that know a reference, the first is meant: the own one, `others` at hand, then what the store has. */
export function groupRecall(
  own: Session,
  others: () => readonly Session[],
  readStored: () => Promise<StoredGroup> = async () => NOTHING_STORED,
): GroupRecall {
  let stored = NOTHING_STORED;
  const listAll = (): readonly Session[] => [own, ...others(), ...stored.sessions];
  return {
    read(ref) {
      const found = readIn(listAll(), ref);
      if (found instanceof CompactionError) throw found;
      return found;
    },
    search: (query: string, options?: number | SearchOptions) => searchSessions(listAll(), query, options),
    async prepare(references) {
      const atHand = [own, ...others()];
      const isKnown = (ref: string): boolean => !(readIn(atHand, ref) instanceof CompactionError);
      if (references?.every(isKnown) === true) return;
      stored = await readStored();
    },
    get unread() {
      return stored.unread;
    },
  };
}

/** What the first of them says that knows a reference; where none does, what the first of all says about that. */
function readIn(sessions: readonly Session[], ref: string): Recalled | CompactionError {
  let unknown: CompactionError | undefined;
  for (const { recall } of sessions)
    try {
      return recall.read(ref);
    } catch (error) {
      if (!(error instanceof CompactionError)) throw error;
      unknown ??= error;
    }
  if (unknown === undefined) throw new RangeError('a group has at least one session.');
  return unknown;
}
