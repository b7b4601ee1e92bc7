// Mutates the sources of one room and says which mutants its fast tests do not notice.
//   npm run test:mutants -- layers                the room of core; at least 80 % must be killed
//   npm run test:mutants -- layers/cap-results    one file of it
//   npm run test:mutants -- wire:gemini           a room of another package
//   npm run test:mutants -- layers --record       also writes the room's row into docs/testing.md
//   npm run test:mutants -- layers --afresh       forgets what earlier runs found
//   npm run test:mutants -- layers --json         survivors as entries for accepted.json, their reasons blank
// What survives for a reason stands in scripts/mutants/accepted.json.
import { mkdirSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from './list-files.mjs';
import { readAccepted } from './mutants/accepted.mjs';
import { recordScore } from './mutants/record.mjs';
import { openEntries, percentOf, readResults, reportLines, score } from './mutants/report.mjs';
import { filesOf, parseRoom } from './mutants/rooms.mjs';

const LEAST = 0.8;
const FOLDER = '.stryker';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const has = (flag) => process.argv.includes(flag);
process.chdir(ROOT);
const asked = parseRoom(words[0]);
const { sources, tests } = filesOf(asked);
const accepted = readAccepted();
process.env.MUTANT_TESTS = tests.join(',');

const incrementalFile = `${FOLDER}/${[asked.name, asked.room, ...(asked.file === undefined ? [] : [asked.file])].join('-').replaceAll('/', '-')}.json`;
if (has('--afresh')) rmSync(incrementalFile, { force: true });
mkdirSync(FOLDER, { recursive: true });

console.log(`${words[0]}: ${sources.length} files by the tests of ${tests.length} files`);
const results = await new Stryker({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
  mutate: sources,
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile,
  tempDirName: `${FOLDER}/tmp`,
  ignorePatterns: ['docs', '.ci', 'packages/*/dist', 'packages/*/.test-build'],
  reporters: ['progress-append-only'],
  logLevel: 'warn',
  timeoutMS: 10_000,
}).runMutationTest();

const mutants = readResults(results);
console.log(reportLines(words[0], mutants, accepted).join('\n'));
if (has('--json')) console.log(JSON.stringify(openEntries(mutants, accepted), null, 2));
const found = score(mutants, accepted);
if (has('--record')) recordScore(words[0], found);
if (found.killed < LEAST * found.total) {
  console.error(`${words[0]}: ${percentOf(found.killed, found.total)} killed, at least ${percentOf(LEAST, 1)} must be`);
  process.exitCode = 1;
}
