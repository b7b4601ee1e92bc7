const opening = (name) => `<!-- ${name}: generated -->`;
const closing = (name) => `<!-- ${name}: end -->`;

/** The lines of a page between its two markers of this name. */
export function readBlock(page, name) {
  const from = page.indexOf(opening(name));
  const to = page.indexOf(closing(name));
  if (from < 0 || to < from) throw new Error(`no block between ${opening(name)} and ${closing(name)}`);
  return page.slice(from + opening(name).length, to).trim();
}

/** The page with other lines between its two markers. */
export const replaceBlock = (page, name, lines) =>
  page.replace(
    `${opening(name)}${page.slice(page.indexOf(opening(name)) + opening(name).length, page.indexOf(closing(name)))}`,
    () => `${opening(name)}\n${lines.trim()}\n`,
  );
