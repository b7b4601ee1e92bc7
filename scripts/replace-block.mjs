const openMark = (name) => `<!-- ${name}: generated -->`;
const closeMark = (name) => `<!-- ${name}: end -->`;

/** The lines of a page between its two markers of this name. */
export function readBlock(page, name) {
  const from = page.indexOf(openMark(name));
  const to = page.indexOf(closeMark(name));
  if (from < 0 || to < from) throw new Error(`no block between ${openMark(name)} and ${closeMark(name)}`);
  return page.slice(from + openMark(name).length, to).trim();
}

/** The page with other lines between its two markers. */
export const replaceBlock = (page, name, lines) =>
  page.replace(
    `${openMark(name)}${page.slice(page.indexOf(openMark(name)) + openMark(name).length, page.indexOf(closeMark(name)))}`,
    () => `${openMark(name)}\n${lines.trim()}\n`,
  );
