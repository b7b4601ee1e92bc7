/** What was made of some things, so that it need not be made again soon. */
export interface BriefMemo<Key extends object, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Of `most` things at the most, and of the newest half of them for certain: the older half goes as a whole. A process may hold many
 * sessions, and what is quickly made again is not worth their memory, nor the collector's work on a table of all of them.
 */
export function newBriefMemo<Key extends object, Value>(most: number): BriefMemo<Key, Value> {
  let older = new WeakMap<Key, Value>();
  let newer = new WeakMap<Key, Value>();
  let size = 0;
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set(key, value) {
      if (++size > most / 2) {
        older = newer;
        newer = new WeakMap();
        size = 1;
      }
      newer.set(key, value);
    },
  };
}
