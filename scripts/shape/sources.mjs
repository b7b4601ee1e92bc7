import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { listFiles, ROOT } from '../list-files.mjs';

/**
 * Every file of code: its path from the root, its text, what it imports, and of a file in a package the package's name
 * and whether it stands in `src`, `test` or `bin`.
 */
export function readSources() {
  const globs = ['packages', 'examples', 'scripts'].flatMap((folder) =>
    ['ts', 'tsx', 'mjs'].map((ending) => `${folder}/**/*.${ending}`),
  );
  return listFiles(...globs)
    .filter((file) => !/\/(fixtures|goldens)\//.test(file))
    .map((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const [, name, place] = /^packages\/([^/]+)\/(src|test|bin)\//.exec(file) ?? [];
      return { file, text, name, place, imports: readImports(file, text) };
    });
}

/** What a file imports, type-only imports included: the words in quotes, and of a relative one the path from the root. */
function readImports(file, text) {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({
    words: fileName,
    path: fileName.startsWith('.') ? join(dirname(file), fileName) : undefined,
  }));
}

/** The manifests of all packages, by the name of their folder. */
export const readManifests = () =>
  new Map(
    listFiles('packages/*/package.json').map((file) => [
      file.split('/')[1],
      JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
    ]),
  );

/** The folder's name and the door of `@palimpsest/wire/openai`: `wire` and `./openai`. Undefined for what is not ours. */
export function parseDoor(words) {
  const [, name, door] = /^@palimpsest\/([^/]+)(\/.+)?$/.exec(words) ?? [];
  return name === undefined ? undefined : { name, door: door === undefined ? '.' : `.${door}` };
}

/** True where the manifest's exports have this door, by its name or by a pattern such as `./bodies/*`. */
export const hasDoor = (manifest, door) =>
  Object.keys(manifest.exports ?? {}).some((key) => {
    const [before, after] = key.split('*');
    return after === undefined ? key === door : door.startsWith(before) && door.endsWith(after);
  });
