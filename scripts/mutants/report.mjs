import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from '../list-files.mjs';
import { identify } from './accepted.mjs';

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

/** Stryker's results as plain data, without the mutants that do not compile or were never meant to run. */
export function readResults(results) {
  const lines = new Map();
  const linesOf = (file) => {
    if (!lines.has(file)) lines.set(file, readFileSync(ROOT + file, 'utf8').split('\n'));
    return lines.get(file);
  };
  return results
    .filter(({ status }) => DETECTED.includes(status) || UNDETECTED.includes(status))
    .map(({ fileName, location, mutatorName, replacement, status }) => {
      const file = relative(ROOT, fileName);
      const code = linesOf(file)[location.start.line - 1].trim();
      const original = cutOut(linesOf(file), location);
      return { file, line: location.start.line, code, original, mutator: mutatorName, replacement, status };
    });
}

/** The code between two places of a file; Stryker counts lines and columns from 1, the end not included. */
function cutOut(lines, { start, end }) {
  const code = lines.slice(start.line - 1, end.line);
  code[code.length - 1] = code.at(-1).slice(0, end.column - 1);
  code[0] = code[0].slice(start.column - 1);
  return code.join('\n');
}

/** How many of these mutants were killed, reasoned about in accepted.json, or neither. */
export function score(mutants, accepted) {
  const killed = mutants.filter(({ status }) => DETECTED.includes(status)).length;
  const alive = mutants.filter(({ status }) => UNDETECTED.includes(status));
  const reasoned = alive.filter((mutant) => accepted.has(identify(mutant))).length;
  return { total: mutants.length, killed, reasoned, open: alive.length - reasoned };
}

export const percentOf = (part, whole) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;

const LONGEST = 140;
const clip = (code) => {
  const line = code.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};

const isOpen = (accepted) => (mutant) => UNDETECTED.includes(mutant.status) && !accepted.has(identify(mutant));

/** What survives without a reason, in the form of accepted.json. */
export const openEntries = (mutants, accepted) =>
  mutants
    .filter(isOpen(accepted))
    .map(({ file, code, original, replacement }) => ({ file, code, original, replacement, reason: '' }));

function survivorLines(mutants, accepted) {
  return mutants
    .filter(isOpen(accepted))
    .flatMap(({ file, line, code, original, mutator, replacement, status }) => [
      `  ${file}:${line} ${mutator}${status === 'NoCoverage' ? ' (no test comes here)' : ''}`,
      `      in  ${clip(code)}`,
      `      ${clip(original)} → ${clip(replacement) || '(nothing)'}`,
    ]);
}

const scoreLine = (name, { total, killed, reasoned, open }) =>
  `${percentOf(killed, total).padStart(8)} ${String(killed).padStart(5)} of ${String(total).padEnd(5)} ${String(reasoned).padStart(4)} reasoned ${String(open).padStart(4)} open  ${name}`;

/** The whole report: a line a file, then every survivor that nobody has reasoned about, then reasons without a mutant. */
export function reportLines(room, mutants, accepted) {
  const files = [...new Set(mutants.map(({ file }) => file))].sort();
  const known = new Set(mutants.filter(({ status }) => UNDETECTED.includes(status)).map(identify));
  const seen = [...accepted.keys()].filter((key) => files.includes(key.split(' | ')[0]) && !known.has(key));
  const survivors = survivorLines(mutants, accepted);
  return [
    ...files.map((file) =>
      scoreLine(
        file,
        score(
          mutants.filter((mutant) => mutant.file === file),
          accepted,
        ),
      ),
    ),
    scoreLine(room, score(mutants, accepted)),
    ...(survivors.length === 0 ? [] : ['', 'Survivors:', ...survivors]),
    ...(seen.length === 0 ? [] : ['', 'Reasons for what no longer survives:', ...seen.map((key) => `  ${key}`)]),
  ];
}
