// What `npm test` looks at before it runs a test, side by side: formatting and lint, types, the house rules, the pages
// that are made from the sources. Prints what each has to say and ends with code 1 where any of them fails.
import { availableParallelism } from 'node:os';
import { ROOT } from './list-files.mjs';
import { inTurns, run } from './packages/run.mjs';

const bin = (name) => `${ROOT}node_modules/.bin/${name}`;
const CHECKS = [
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['-p', 'packages/inspector/src/page/tsconfig.json']],
  ['format and lint', bin('biome'), ['check', '.']],
  ['API reference', process.execPath, ['scripts/api-reference.mjs', '--check']],
  ['shape', process.execPath, ['scripts/check-shape.mjs']],
  ['rules and their tests', process.execPath, ['scripts/conformance.mjs', '--check']],
  ['what is described and its tests', process.execPath, ['scripts/seeds.mjs', '--check']],
];

await inTurns(CHECKS, availableParallelism(), async ([name, file, words]) => {
  const { code, out, err } = await run(file, words, { cwd: ROOT });
  console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
  if (code === 0) return;
  console.error(`${out}${err}`.trimEnd());
  process.exitCode = 1;
});
