import { placeTokens } from './read-tokens.ts';

/** A folder that heads a line, and what the line names behind it: `src/routes/: items.ts shelves.ts`. */
const LISTING = /^[ \t]*((?:[~.]{1,2}\/|\/|[A-Za-z]:\/)?(?:[\w@.+-]{1,100}\/)+):[ \t]+(\S.*)$/gm;
/** A whole folder at the end of a line, which paths may begin in: `root: /app/shop/`. */
const ROOT = /(?:^|[ \t])(\/(?:[\w@.+-]{1,100}\/)+)$/gm;

/**
 * The paths that a text tells in two or three pieces, as a listing does: whoever reads `root: /app/shop/` and `src/routes/: items.ts`
 * can write `/app/shop/src/routes/items.ts`. A name and a folder that stand apart from each other tell none.
 */
export function listPaths(text: string): readonly string[] {
  if (!text.includes('/')) return [];
  const below: string[] = [];
  for (const [, folder = '', names = ''] of text.matchAll(LISTING)) {
    below.push(folder.slice(0, -1));
    for (const { token } of placeTokens(names)) if (!token.includes('/')) below.push(folder + token);
  }
  const roots = [...new Set([...text.matchAll(ROOT)].map(([, root = '']) => root))];
  if (roots.length === 0) return below;
  for (const { token } of placeTokens(text)) if (token.includes('/') && isBelow(token)) below.push(token);
  return [...below, ...roots.flatMap((root) => below.filter(isBelow).map((path) => root + path))];
}

const isBelow = (path: string): boolean => !/^(?:[/~.]|[A-Za-z]:\/|https?:)/.test(path) || /^\.\w/.test(path);
