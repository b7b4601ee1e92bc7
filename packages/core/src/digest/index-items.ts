import type { Evidence } from './evidence.ts';
import { type IdentifierKind, scanIdentifiers, visitParts } from './identifiers.ts';
import type { Item } from './sections.ts';

const groups: Readonly<Record<IdentifierKind, string>> = {
  path: 'paths',
  name: 'names',
  flag: 'flags',
  variable: 'variables',
  number: 'numbers',
  hash: 'hashes',
  url: 'urls',
};

/** The index: identifiers by need, without those that the text before it shows already. */
export function indexItems(evidence: Evidence, before: string): readonly Item[] {
  const shown = new Set<string>();
  const show = (identifier: string): void => {
    shown.add(identifier);
    visitParts(identifier, (part) => shown.add(part));
  };
  scanIdentifiers(before, show);
  const items: Item[] = [];
  for (const { identifier, kind } of evidence.identifiers) {
    if (shown.has(identifier)) continue;
    show(identifier);
    items.push({ text: identifier, group: groups[kind] });
  }
  return items;
}
