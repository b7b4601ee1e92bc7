import { hasDoor, parseDoor } from './sources.mjs';

/** Which packages the sources of a package may import, from the lowest package to the highest. */
export const MAY_IMPORT = {
  core: [],
  tokens: ['core'],
  wire: ['core'],
  store: ['core'],
  'store-postgres': ['core', 'store'],
  formats: ['core'],
  sdk: ['core', 'wire'],
  sim: ['core', 'wire'],
  measure: ['core', 'formats', 'wire'],
  terminal: ['core'],
  inspector: ['core', 'wire', 'formats', 'measure'],
  gateway: ['core', 'wire', 'sdk', 'inspector'],
  agent: ['core', 'wire', 'sdk', 'store', 'formats', 'tokens', 'terminal'],
  cli: [
    'core',
    'wire',
    'sdk',
    'sim',
    'store',
    'formats',
    'tokens',
    'measure',
    'terminal',
    'inspector',
    'agent',
    'gateway',
    'store-postgres',
  ],
  testing: ['core', 'wire', 'sdk', 'sim', 'store'],
  bench: [
    'core',
    'wire',
    'sdk',
    'sim',
    'store',
    'store-postgres',
    'formats',
    'tokens',
    'measure',
    'terminal',
    'inspector',
    'agent',
    'gateway',
    'testing',
  ],
};
const HERE = 'scripts/shape/packages.mjs';

/** Sources import only packages below their own, and never leave it by a relative path. */
export function checkPackages(sources, manifests) {
  const gone = Object.keys(MAY_IMPORT).filter((name) => !manifests.has(name));
  const unplaced = [...manifests.keys()].filter((name) => MAY_IMPORT[name] === undefined);
  return [
    ...gone.map((name) => `${HERE} names "${name}", and there is no such package`),
    ...unplaced.map((name) => `packages/${name} has no place in ${HERE}`),
    ...sources.filter(({ place }) => place === 'src').flatMap((source) => checkImports(source, manifests)),
  ];
}

const checkImports = ({ file, name, imports }, manifests) =>
  imports.flatMap(({ words, path }) => {
    if (path !== undefined) {
      const isOwn = path.startsWith(`packages/${name}/src/`) || path === `packages/${name}/package.json`;
      // What is measured and fitted part by part has no door, since nobody else is to use the parts.
      if (isOwn || (name === 'bench' && path.startsWith('packages/core/src/digest/'))) return [];
      return [`${file}: "${words}" leaves the sources of ${name}`];
    }
    if (name === 'core') return [`${file}: core imports "${words}"; it imports nothing`];
    const door = parseDoor(words);
    if (door === undefined) return [];
    if (!MAY_IMPORT[name]?.includes(door.name)) return [`${file}: ${name} may not import ${door.name}`];
    return hasDoor(manifests.get(door.name) ?? {}, door.door) ? [] : [`${file}: "${words}" is no door of ${door.name}`];
  });

/** Which packages the sources of each package do import. */
export function packageGraph(sources, manifests) {
  const graph = new Map(
    [...Object.keys(MAY_IMPORT)].filter((name) => manifests.has(name)).map((name) => [name, new Set()]),
  );
  for (const { name, place, imports } of sources)
    for (const { words } of place === 'src' ? imports : []) {
      const other = parseDoor(words)?.name;
      if (other !== undefined && other !== name) graph.get(name)?.add(other);
    }
  return graph;
}
