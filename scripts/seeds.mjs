// Writes docs/seeds.md: every item that the documents describe, with where it is done and the test that proves it.
//   npm run docs:seeds               writes it
//   node scripts/seeds.mjs --check   ends with code 1 where a row does not hold or the page is not up to date
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { ROOT } from './list-files.mjs';
import { checkSystems } from './seeds/check-systems.mjs';
import { itemsOf, readSystems } from './seeds/read-systems.mjs';
import { renderPage } from './seeds/render-page.mjs';

const PAGE = 'docs/seeds.md';
const readFile = (file) =>
  existsSync(ROOT + file) && statSync(ROOT + file).isFile() ? readFileSync(ROOT + file, 'utf8') : undefined;
const rules = new Set([...readFile('docs/conformance.md').matchAll(/^\| ([SACT]\d+) \|/gm)].map(([, rule]) => rule));

const systems = readSystems();
const problems = checkSystems(systems, { readFile, rules });
const page = renderPage(systems);
for (const problem of problems) console.error(`seeds: ${problem}`);
if (process.argv.includes('--check')) {
  const isStale = readFile(PAGE) !== page;
  if (isStale) console.error(`${PAGE} is not up to date: npm run docs:seeds`);
  process.exitCode = problems.length > 0 || isStale ? 1 : 0;
} else {
  writeFileSync(ROOT + PAGE, page);
  console.log(`seeds: ${systems.flatMap(itemsOf).length} items, ${problems.length} problems`);
}
