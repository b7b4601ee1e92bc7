import { hasDoor, parseDoor } from './sources.mjs';

const SHARED = 'testing';

/** Tests import from their own package, from the doors of others, and from @palimpsest/testing. */
export const checkWalls = (sources, manifests) =>
  sources
    .filter(({ file, place }) => place === 'test' || file.startsWith('examples/'))
    .flatMap(({ file, name, imports }) =>
      imports.flatMap(({ words, path }) => {
        const home = name === undefined ? 'examples/' : `packages/${name}/`;
        if (path !== undefined)
          return path.startsWith(home)
            ? []
            : [
                `${file}: "${words}" reaches over the wall of ${home}; go through a door, or share it by @palimpsest/${SHARED}`,
              ];
        const door = parseDoor(words);
        if (door === undefined) return [];
        const other = manifests.get(door.name);
        if (other === undefined || !hasDoor(other, door.door)) return [`${file}: "${words}" is no door of any package`];
        return [];
      }),
    );
