// Writes docs/conformance.md: every rule of the field (S1 …, A1 …, C1 …, T1 …) with the tests named after it.
//   npm run docs:conformance               writes it
//   node scripts/conformance.mjs --check   ends with code 1 where a rule has no test or the page is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { listFiles, ROOT } from './list-files.mjs';
import { readTestNames } from './test-names.mjs';

const RULES = { S: 18, A: 15, C: 11, T: 8 };
const TITLES = { S: 'Structure', A: 'Progress, sizes, accounting', C: 'Content', T: 'Time, state, concurrency' };
const PAGE = 'docs/conformance.md';

/** Which tests are named after each rule; a name stands once for a rule, however many tests have it. */
function findTests() {
  const tests = new Map();
  for (const file of listFiles('**/*.test.ts'))
    for (const { name, isGroup } of readTestNames(readFileSync(ROOT + file, 'utf8'))) {
      if (isGroup) continue;
      const [codes] = /^(?:[SACT]\d+[ :]*)+/.exec(name) ?? [''];
      const words = name
        .slice(codes.length)
        .replaceAll(/\$\{[^}]*\}|%[isd]|\$\w+/g, '…')
        .replaceAll('|', '\\|');
      for (const rule of codes.match(/[SACT]\d+/g) ?? []) {
        const found = tests.get(rule) ?? new Map();
        found.set(words, new Set([...(found.get(words) ?? []), file]));
        tests.set(rule, found);
      }
    }
  return tests;
}

const linkTo = (file) => `[${file.split('/').at(-1).replace('.test.ts', '')}](../${file})`;

/** One row a rule, one line of it a test. A test of several rules is told at the first of them. */
function rowOf(rule, found, toldAt) {
  const lines = [...found].map(([words, files]) => {
    const links = [...files].map(linkTo).join(', ');
    const first = toldAt.get(words) ?? rule;
    toldAt.set(words, first);
    return first === rule ? `${words} (${links})` : `as ${first} (${links})`;
  });
  return `| ${rule} | ${lines.join('<br>')} |`;
}

function renderPage(tests) {
  const lines = [
    '# Rule → test',
    '',
    'Made by `npm run docs:conformance` from the names of the tests. The rules are what breaks compaction in the field.',
    '',
  ];
  const toldAt = new Map();
  for (const [letter, count] of Object.entries(RULES)) {
    lines.push(`## ${TITLES[letter]}`, '', '| rule | what its tests prove, and where |', '|---|---|');
    for (let n = 1; n <= count; n++) lines.push(rowOf(`${letter}${n}`, tests.get(`${letter}${n}`) ?? [], toldAt));
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const tests = findTests();
const page = renderPage(tests);
const missing = Object.entries(RULES)
  .flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`))
  .filter((rule) => !tests.has(rule));
if (missing.length > 0) console.error(`conformance: no test is named after ${missing.join(', ')}`);
if (process.argv.includes('--check')) {
  const isStale = readFileSync(ROOT + PAGE, 'utf8') !== page;
  if (isStale) console.error(`${PAGE} is not up to date: npm run docs:conformance`);
  process.exitCode = missing.length > 0 || isStale ? 1 : 0;
} else {
  writeFileSync(ROOT + PAGE, page);
  console.log(`conformance: ${tests.size} rules with tests`);
}
