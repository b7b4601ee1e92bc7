import { CompactionError, type Found, type Recall, type Session } from '@palimpsest/core';

/** Reads and searches a session, and behind it others of its group: of two that know a reference, the first is meant. */
export function groupRecall(own: Session, others: () => readonly Session[]): Recall {
  return {
    ...own.recall,
    read(ref) {
      try {
        return own.recall.read(ref);
      } catch (error) {
        if (!(error instanceof CompactionError)) throw error;
        for (const other of others()) {
          try {
            return other.recall.read(ref);
          } catch (unknown) {
            if (!(unknown instanceof CompactionError)) throw unknown;
          }
        }
        throw error;
      }
    },
    search(query, given = {}) {
      const options = typeof given === 'number' ? { limit: given } : given;
      const { limit = 20, offset = 0 } = options;
      const lists = [own, ...others()].map(({ recall }) =>
        recall.search(query, { ...options, limit: limit + offset, offset: 0 }),
      );
      return takeTurns(lists).slice(offset, offset + limit);
    },
    async prepare() {
      for (const { recall } of [own, ...others()]) await recall.prepare();
    },
  };
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
