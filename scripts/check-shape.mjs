// The house rules that a compiler does not know. Run by `npm run check`; prints every breach and ends with code 1.
//   npm run check:shape                the rules
//   npm run check:shape -- --graph     prints the packages and the folders of each, with what they import
//   npm run check:shape -- --mermaid   prints the pictures of docs/architecture.md
//   npm run docs:architecture          writes them there
import { listFiles } from './list-files.mjs';
import { checkArchitecture, writeArchitecture } from './shape/architecture.mjs';
import { checkDoor } from './shape/door.mjs';
import { drawPackages, drawRooms, drawText } from './shape/draw.mjs';
import { checkPackages } from './shape/packages.mjs';
import { checkPaths } from './shape/paths.mjs';
import { checkRooms } from './shape/rooms.mjs';
import { readManifests, readSources } from './shape/sources.mjs';
import { checkWalls } from './shape/walls.mjs';
import { checkWorld } from './shape/world.mjs';

const has = (flag) => process.argv.includes(flag);
const sources = readSources();
const manifests = readManifests();

if (has('--graph')) console.log(drawText(sources, manifests).join('\n'));
else if (has('--mermaid'))
  console.log([...drawPackages(sources, manifests), '', ...drawRooms(sources, 'core')].join('\n'));
else if (has('--write')) writeArchitecture(sources, manifests);
else {
  const breaches = [
    ...checkPackages(sources, manifests),
    ...checkRooms(sources, [...manifests.keys()]),
    ...checkWalls(sources, manifests),
    ...checkWorld(sources),
    ...checkDoor(sources),
    ...checkPaths(listFiles('**')),
    ...checkArchitecture(sources, manifests),
  ];
  if (breaches.length > 0) {
    const lines = breaches.map((one) => `  ${one}`).join('\n');
    console.error(`shape: ${breaches.length} breach${breaches.length === 1 ? '' : 'es'}\n${lines}`);
    process.exitCode = 1;
  } else console.log(`shape: ${sources.length} files in order`);
}
