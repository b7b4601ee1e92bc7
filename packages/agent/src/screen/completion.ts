import { basename } from 'node:path';
import { commands } from '../commands/index.ts';

export interface MenuItem {
  readonly value: string;
  readonly about: string;
}

/** What could stand in the place of a stretch of the line. */
export interface Menu {
  readonly items: readonly MenuItem[];
  readonly from: number;
  readonly to: number;
  /** The stretch is one of the items already. */
  readonly isWhole: boolean;
}

const MOST_ITEMS = 8;

/** Commands behind a slash that begins the line, files behind an @; undefined where nothing fits. */
export function findMenu(text: string, at: number, files: () => readonly string[]): Menu | undefined {
  const before = text.slice(0, at);
  if (/^\/[a-z]*$/.test(text) && at === text.length) return commandMenu(text);
  const named = /(?:^|\s)@([^\s@]*)$/.exec(before)?.[1];
  if (named === undefined) return undefined;
  const items = findFiles(files(), named).map((value) => ({ value, about: '' }));
  return items.length === 0 ? undefined : { items, from: at - named.length - 1, to: at, isWhole: false };
}

function commandMenu(text: string): Menu | undefined {
  const found = commands.filter(({ name }) => `/${name}`.startsWith(text));
  if (found.length === 0) return undefined;
  return {
    items: found.map(({ name, help }) => ({ value: `/${name}`, about: help })),
    from: 0,
    to: text.length,
    isWhole: found.some(({ name }) => `/${name}` === text),
  };
}

/** Best first: the last name begins so, holds it, the path holds it. */
function findFiles(files: readonly string[], words: string): readonly string[] {
  const wanted = words.toLowerCase();
  const rank = (file: string): number => {
    const name = basename(file).toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) ? 1 : file.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return files
    .map((file) => ({ file, rank: rank(file) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.file.length - b.file.length || (a.file < b.file ? -1 : 1))
    .slice(0, MOST_ITEMS)
    .map(({ file }) => file);
}
