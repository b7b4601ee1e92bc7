/** The same answer for the same object, worked out once, for as long as the object lives. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make(key);
    known.set(key, { value });
    return value;
  };
}
