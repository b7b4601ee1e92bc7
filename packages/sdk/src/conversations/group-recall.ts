import { CompactionError, type Found, type Recalled, type Session } from '@palimpsest/core';
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
    search(query, given = {}) {
      const options = typeof given === 'number' ? { limit: given } : given;
      const { limit = 20, offset = 0 } = options;
      const lists = listAll().map(({ recall }) =>
        recall.search(query, { ...options, limit: limit + offset, offset: 0 }),
      );
      return takeTurns(lists).slice(offset, offset + limit);
    },
    async prepare(references) {
      const atHand = [own, ...others()];
      const isKnown = (ref: string): boolean => !(readIn(atHand, ref) instanceof CompactionError);
      if (references?.every(isKnown) === true) return;
      stored = await readStored();
      // Only words need an index.
      if (references === undefined) for (const { recall } of listAll()) await recall.prepare();
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

/** The best of each list in turn. What sessions share is found in each of them, and told once. */
function takeTurns(lists: readonly (readonly Found[])[]): readonly Found[] {
  const taken = new Map<string, Found>();
  for (let at = 0; lists.some((list) => at < list.length); at++)
    for (const list of lists) {
      const found = list[at];
      const key = found === undefined ? '' : `${found.message.id} ${found.text}`;
      if (found !== undefined && !taken.has(key)) taken.set(key, found);
    }
  return [...taken.values()];
}
