/** What was made of some things, so that it need not be made again soon. */
export interface BriefMemo<Key extends object, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Of `most` things at the most: then it begins anew. A process may hold many sessions, and what is quickly made again is not worth
 * their memory, nor the collector's work on a table of all of them.
 */
export function newBriefMemo<Key extends object, Value>(most: number): BriefMemo<Key, Value> {
  let made = new WeakMap<Key, Value>();
  let size = 0;
  return {
    get: (key) => made.get(key),
    set(key, value) {
      if (++size > most) {
        made = new WeakMap();
        size = 1;
      }
      made.set(key, value);
    },
  };
}
