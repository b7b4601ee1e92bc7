// Runs the exercises of the s08 text and OpenCode's flow, and writes down what is printed, in docs/exercises.md:
//   npm run docs:exercises
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeExercises } from './write-exercises.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../../docs/exercises.md', import.meta.url));

writeFileSync(PAGE, await writeExercises(PROGRAM));
