import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from '../list-files.mjs';
import { replaceBlock } from '../replace-block.mjs';
import { drawPackages, drawRooms } from './draw.mjs';
import { packageGraph } from './packages.mjs';
import { CORE_ROOMS } from './rooms.mjs';

const PAGE = 'docs/architecture.md';

/** The page as the sources say: the picture of the packages, that of core's rooms, and a sentence for each. */
function renderPage(page, sources, manifests) {
  const picture = (lines) => ['```mermaid', ...lines, '```', ''];
  const packages = [...packageGraph(sources, manifests).keys()].map((name) => {
    const { description, private: isPrivate } = manifests.get(name);
    return `| \`${name}\` | ${description}${isPrivate ? ' Private.' : ''} |`;
  });
  const rooms = Object.entries(CORE_ROOMS).map(([room, sentence]) => `| \`${room}\` | ${sentence} |`);
  const blocks = {
    packages: [...picture(drawPackages(sources, manifests)), '| package | what it is |', '|---|---|', ...packages],
    rooms: [...picture(drawRooms(sources, 'core')), '| room | what it is for |', '|---|---|', ...rooms],
  };
  return Object.entries(blocks).reduce((text, [name, lines]) => replaceBlock(text, name, lines.join('\n')), page);
}

export function checkArchitecture(sources, manifests) {
  if (!existsSync(ROOT + PAGE)) return [`${PAGE} is missing`];
  const page = readFileSync(ROOT + PAGE, 'utf8');
  return renderPage(page, sources, manifests) === page ? [] : [`${PAGE} is not up to date: npm run docs:architecture`];
}

export function writeArchitecture(sources, manifests) {
  writeFileSync(ROOT + PAGE, renderPage(readFileSync(ROOT + PAGE, 'utf8'), sources, manifests));
}
