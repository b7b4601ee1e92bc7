/** A command of a page is run by the test with these words, or it says why not, and where else it is run. */
export type Rule =
  | { readonly run: readonly string[] }
  | { readonly why: string; readonly by?: readonly [file: string, words: string] };

const CLI = /^(?:npx )?(?:@palimpsest\/cli|palimpsest)(?: |$)/;

/** Commands that print something and end. */
const ENDING = [
  'audit',
  'compact',
  'cost',
  'digest',
  'doctor',
  'handoff',
  'recall',
  'replay',
  'sample',
  'sessions',
  'undo',
];

/** What stands in a page for something that a reader has. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  FILE: ['workday.jsonl'],
  'session.jsonl': ['workday.jsonl'],
  '/home/you/shop/workday.jsonl': ['workday.jsonl'],
  SESSION: ['sample', '--dir', 'kept'],
  WORDS: ['migrations'],
};

const COMMANDS = 'packages/cli/test/commands';

const SERVING: Readonly<Record<string, Rule>> = {
  agent: { why: 'it talks until it is ended', by: ['packages/agent/test/terminal-start.test.ts', 'startIn'] },
  gateway: { why: 'it serves until it is ended', by: [`${COMMANDS}/gateway.test.ts`, "startPalimpsest(['gateway'"] },
  inspect: { why: 'it serves until it is ended', by: [`${COMMANDS}/inspect.test.ts`, "startPalimpsest(['inspect'"] },
  mcp: { why: 'it speaks with a client until that ends it', by: [`${COMMANDS}/mcp.test.ts`, "'mcp'"] },
  run: { why: 'it starts a client of another vendor', by: [`${COMMANDS}/run.test.ts`, "'run'"] },
  sim: { why: 'it serves until it is ended', by: [`${COMMANDS}/sim.test.ts`, "'sim'"] },
  usage: { why: 'a Postgres has to run', by: [`${COMMANDS}/usage.test.ts`, "['usage', url"] },
};

const EXERCISE: Rule = {
  why: 'a test runs the whole page',
  by: ['packages/cli/test/exercises/exercises.test.ts', 'exercises'],
};

const OTHERS: readonly (readonly [shape: RegExp, rule: Rule])[] = [
  [/^npm install && npm (?:start|test)$/, { why: 'CI does', by: ['.ci/run', 'npm install'] }],
  [/^npm test\b/, { why: 'it is what runs this', by: ['.ci/run', 'npm test'] }],
  [/^npm install\b/, { why: 'it asks a registry', by: ['scripts/check-packages.mjs', 'install'] }],
  [/ #\d+$| \((?:ok|failed|pending|exit \d+)(?:, ×\d+)?\)$/, { why: 'a digest tells that it was run' }],
  [/^cat \.palimpsest\//, EXERCISE],
  [/^npm publish\b/, { why: 'it publishes' }],
  [/^npm start\b/, { why: 'it is `palimpsest agent`', by: ['examples/readme.test.ts', "'start'"] }],
  [/^npm run bench\b/, { why: 'it measures, for minutes; doc-pages.test.ts sees that there is such a bench' }],
  [
    /^npm run (?:check|check:shape)\b/,
    { why: 'npm test begins with it', by: ['package.json', '"test": "npm run check'] },
  ],
  [
    /^npm run (?:check|pack):packages\b/,
    { why: 'with CI=true a test does it', by: ['packages/cli/test/packages.test.ts', 'pack'] },
  ],
  [
    /^npm run docs:(?:api|architecture|conformance|seeds)$/,
    { why: 'the check compares what it would write', by: ['scripts/check.mjs', 'api-reference'] },
  ],
  [
    /^npm run docs:digests$/,
    {
      why: 'a test compares what it would write',
      by: ['packages/cli/test/digests/digests.test.ts', 'docs/digests.md'],
    },
  ],
  [
    /^npm run docs:exercises$/,
    { why: 'a test compares what it would write', by: ['packages/cli/test/exercises/exercises.test.ts', 'exercises'] },
  ],
  [
    /^npm run bundle:plugins\b/,
    { why: 'a test of them runs it', by: ['examples/plugins.test.ts', 'bundle-plugins.mjs'] },
  ],
  [/^npm run docs:(?:commands|pictures|inspector)$/, { why: 'it writes pages and pictures; what it runs is run here' }],
  [
    /^npm run format$/,
    { why: 'it changes files; the check sees whether it would', by: ['scripts/check.mjs', 'biome'] },
  ],
  [/^npm run test:(?:deep|mutants)\b/, { why: 'it takes hours' }],
  [/^npx vitest run\b/, { why: 'it is how single tests of this suite are run' }],
  [
    /^npx tsx .*examples\/[\w-]+\.ts$/,
    { why: 'every example is run by a test of its own', by: ['examples/examples.test.ts', 'readdirSync'] },
  ],
  [
    /^(?:claude|codex|ANTHROPIC_BASE_URL\S+|OPENCODE_CONFIG_CONTENT\S+|GOOGLE_GEMINI_BASE_URL\S+|OPENAI_BASE_URL\S+)\s/,
    { why: 'it is a client of another vendor; bench -- live runs them', by: ['packages/bench/src/main.ts', 'live'] },
  ],
];

/** What becomes of a command; undefined where nobody has said. */
export function findRule(command: string): Rule | undefined {
  if (!CLI.test(command)) return OTHERS.find(([shape]) => shape.test(command))?.[1];
  const words = splitWords(command.replace(CLI, ''));
  const [name = ''] = words;
  if (name === 'doctor' && words.length > 1)
    return { why: 'a gateway has to run', by: [`${COMMANDS}/gateway.test.ts`, "['doctor', url]"] };
  if (name === 'agent' && (words.includes('--preset') || words.includes('--window'))) return EXERCISE;
  if ((words.length <= 1 && !['sample', 'doctor'].includes(name)) || /^(?:audit --md|agent -p)$/.test(words.join(' ')))
    return SERVING[name] ?? { why: 'it is named, not shown: doc-pages.test.ts sees that there is such a command' };
  if (
    words.includes('--help') ||
    ENDING.includes(name) ||
    words.includes('--html') ||
    (name === 'agent' && words.includes('-p'))
  )
    return { run: words.flatMap((word) => STANDS_FOR[word] ?? [word]) };
  return SERVING[name];
}

/** As a shell splits them, up to what it would do with the output. */
const splitWords = (line: string): readonly string[] =>
  [...(line.split(/\s[|>]\s?/)[0] ?? '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
