/** Where the lines between two markers of a page begin and end. */
function findBlock(page, name) {
  const open = `<!-- ${name}: generated -->`;
  const close = `<!-- ${name}: end -->`;
  const start = page.indexOf(open) + open.length;
  const end = page.indexOf(close);
  if (!page.includes(open) || end < start) throw new Error(`no block between ${open} and ${close}`);
  return { start, end };
}

/** The lines of a page between its two markers of this name. */
export function readBlock(page, name) {
  const { start, end } = findBlock(page, name);
  return page.slice(start, end).trim();
}

/** The page with other lines between its two markers of this name. */
export function replaceBlock(page, name, lines) {
  const { start, end } = findBlock(page, name);
  return `${page.slice(0, start)}\n${lines.trim()}\n${page.slice(end)}`;
}
