import { readFileSync } from 'node:fs';

/** The described systems, in the order of the page: how their items are numbered, and how many there are. */
export const SYSTEMS = [
  { file: 'claude-code.json', letters: 'CC', count: 181 },
  { file: 's08.json', letters: 'S', count: 66 },
  { file: 'open-code.json', letters: 'OC', count: 60 },
];

/**
 * What this folder holds about them: sections of items. An item has its `id` and `what` is described; where its row is
 * known also a `status` (`does`, `better`, `elsewhere`), the file `where` it is done, the file of its `test` with the
 * `title` of a test or of a group of them, and the `reason` where it is not done as described.
 */
export const readSystems = () =>
  SYSTEMS.map(({ file, ...system }) => ({
    ...system,
    ...JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')),
  }));

/** All items of a system, in order. */
export const itemsOf = ({ sections }) => sections.flatMap(({ items }) => items);
