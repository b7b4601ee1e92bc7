/** Each text once, at the place where it was said last. */
export function keepNewest<Item extends { readonly text: string }>(items: readonly Item[]): readonly Item[] {
  const newest = new Map<string, Item>();
  for (const item of items) {
    const key = item.text.toLowerCase().replace(/\s+/g, ' ');
    newest.delete(key);
    newest.set(key, item);
  }
  return [...newest.values()];
}
