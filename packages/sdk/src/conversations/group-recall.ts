import { CompactionError, type Recall, type Session } from '@palimpsest/core';

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
    search(query, limit = 20) {
      const found = [...own.recall.search(query, limit)];
      const seen = new Set(found.map(({ message }) => message.id));
      for (const other of others()) {
        if (found.length >= limit) break;
        for (const one of other.recall.search(query, limit)) {
          if (found.length >= limit || seen.has(one.message.id)) continue;
          seen.add(one.message.id);
          found.push(one);
        }
      }
      return found;
    },
  };
}
