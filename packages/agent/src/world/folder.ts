import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Never looked into: other people's code and the version control's own files. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** The folder an agent works in. */
export interface Folder {
  readonly root: string;
  /** Absolute. `~` is not known here: shells expand it. */
  at(path: string): string;
  /** As people write it: relative to the folder where it lies inside. */
  name(path: string): string;
  /** Where a path leads when all links are followed; the file need not be there. */
  real(path: string): Promise<string>;
  /** Follows links, so that one that leads out counts as outside. */
  holds(path: string): Promise<boolean>;
  /** Files below a path, sorted, as names, without what a .gitignore there leaves out; links to folders are not followed. */
  files(path: string, signal: AbortSignal): AsyncGenerator<string>;
}

/** `root` is an absolute path; it is not looked at until something is asked. */
export function folderAt(root: string): Folder {
  const at = (path: string): string => resolve(root, path);
  const name = (path: string): string => {
    const short = relative(root, at(path));
    return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? at(path) : short.split(sep).join('/');
  };

  async function* walk(dir: string, above: readonly Ignored[], signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
    const rules = hasRules ? [...above, await readIgnored(dir)] : above;
    for (const entry of entries) {
      const path = join(dir, entry.name);
      const isFolder = entry.isDirectory();
      if (isIgnored(rules, path, isFolder)) continue;
      if (isFolder) {
        if (!PASSED_OVER.has(entry.name)) yield* walk(path, rules, signal);
      } else if (entry.isFile()) yield name(path);
    }
  }

  return {
    root,
    at,
    name,
    real: (path) => resolveReal(at(path)),
    async holds(path) {
      const [home, there] = await Promise.all([realpath(root), resolveReal(at(path))]);
      return there === home || there.startsWith(home + sep);
    },
    async *files(path, signal) {
      const start = at(path);
      if ((await lstat(start).catch(() => undefined))?.isFile() === true) yield name(start);
      else yield* walk(start, [], signal);
    },
  };
}

/** What a .gitignore says of the files below its folder. */
interface Ignored {
  readonly dir: string;
  readonly rules: Ignore;
}

async function readIgnored(dir: string): Promise<Ignored> {
  const lines = await readFile(join(dir, '.gitignore'), 'utf8').catch(() => '');
  return { dir, rules: ignore().add(lines) };
}

/** The nearest rules that say something count; a folder that is ignored is not looked into. */
function isIgnored(all: readonly Ignored[], path: string, isFolder: boolean): boolean {
  for (const { dir, rules } of all.toReversed()) {
    const short = relative(dir, path).split(sep).join('/');
    const { ignored, unignored } = rules.test(isFolder ? `${short}/` : short);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** The real path of a file that need not be there yet: its nearest ancestor's, and the rest. */
async function resolveReal(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const parent = dirname(path);
  return parent === path ? path : join(await resolveReal(parent), relative(parent, path));
}
