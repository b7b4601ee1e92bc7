import { newDice, rollBetween } from './dice.ts';

const SUITES = [
  'dates',
  'http',
  'query',
  'reminders',
  'digest',
  'items',
  'shelves',
  'people',
  'export',
  'page',
] as const;
const SUBJECTS = [
  'an empty shelf',
  'a leap day',
  'two people on one shelf',
  'an item without a date',
  'a full freezer',
];
const VERBS = ['lists', 'refuses', 'keeps', 'reminds of', 'counts', 'rounds', 'exports'] as const;

/** What a talkative test runner prints. `failing` names the suite in which one test fails. */
export function testRun(seed: number, failing?: string, tests = 180): string {
  const roll = newDice(seed);
  const lines = ['> larder@ test', '> vitest run --reporter verbose', ''];
  let failed = 0;
  for (let n = 0; n < tests; n++) {
    const suite = SUITES[Math.floor((n * SUITES.length) / tests)]!;
    const name = `${VERBS[rollBetween(roll, 0, VERBS.length)]} ${SUBJECTS[rollBetween(roll, 0, SUBJECTS.length)]}`;
    const fails = suite === failing && failed === 0 && n % 7 === 3;
    if (fails) failed++;
    lines.push(` ${fails ? '×' : '✓'} test/${suite}.test.ts > ${suite} > ${name} (${n}) ${rollBetween(roll, 1, 40)}ms`);
    if (fails)
      lines.push(
        '   AssertionError: expected 2 to be 1',
        `     at test/${suite}.test.ts:${rollBetween(roll, 20, 200)}:14`,
      );
  }
  lines.push('', ` Tests  ${failed > 0 ? `${failed} failed | ` : ''}${tests - failed} passed (${tests})`);
  return lines.join('\n');
}

/** A server's log of requests. */
export function requestLog(seed: number, lines: number): string {
  const roll = newDice(seed);
  const paths = ['/items', '/shelves', '/people?limit=200', '/items/17', '/menus', '/export.csv'];
  return Array.from({ length: lines }, (_, n) => {
    const second = String(n % 60).padStart(2, '0');
    const path = paths[rollBetween(roll, 0, paths.length)]!;
    return `09:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${second} GET ${path} 200 ${rollBetween(roll, 2, 900)}ms req-${rollBetween(roll, 10_000, 99_999)}`;
  }).join('\n');
}

const TOPICS = ['Calendar days', 'Offsets', 'Daylight saving', 'Storing a date', 'Parsing', 'Formatting', 'Testing'];

/** A long page from the web, on dates. */
export function article(seed: number, sections: number): string {
  const roll = newDice(seed);
  const sentences = [
    'A day is not a moment: it begins at another instant in every zone.',
    'Write down which of the two you mean before you choose a type for it.',
    'A text of ten characters that names a day is read as midnight UTC, which surprises most people once.',
    'Adding twenty-four hours is not the same as going to the next day; twice a year it is off by an hour.',
    'Keep the zone beside the value if somebody will ever ask what the wall clock said.',
    'A test that passes in the office may fail on the server, whose zone is another.',
  ];
  return Array.from({ length: sections }, (_, n) => {
    const body = Array.from({ length: 9 }, () => sentences[rollBetween(roll, 0, sentences.length)]!).join(' ');
    return `## ${n + 1}. ${TOPICS[n % TOPICS.length]}\n\n${body}`;
  }).join('\n\n');
}
