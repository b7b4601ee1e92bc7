/** The folder that most of the paths lie in: naming it once shortens them all. Empty where there is none worth naming. */
export function findCommonRoot(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith('/') || /^[A-Za-z]:\//.test(path));
  const counts = new Map<string, number>();
  for (const path of absolute) {
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  let root = '';
  for (const [folder, count] of counts) {
    if (count >= 2 && count >= absolute.length * 0.8 && folder.length > root.length) root = folder;
  }
  return root.length >= 8 ? root : '';
}
