// Runs the commands on recordings of our own and writes down what they print, in docs/commands.md and docs/sim.md:
//   npm run docs:commands               writes them
//   npm run docs:commands -- --check    ends with code 1 where they are not what is printed now
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClaudeCode, writePi } from '@palimpsest/formats';
import { newStage, type Stage } from './docs-stage.ts';
import { workday } from './workday.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const FIXTURE = here('../fixtures/workday.jsonl');
const EXAMPLES = here('../sim-examples/');
const PAGES = [
  { template: here('../fixtures/commands.template.md'), page: here('../../../../docs/commands.md') },
  { template: here('../fixtures/sim.template.md'), page: here('../../../../docs/sim.md') },
] as const;

/** Title, file; the two that we write ourselves are a whole workday, the others the small fixtures of the readers. */
const RECORDINGS = [
  ['Claude Code', 'workday.jsonl'],
  ['pi', 'workday-pi.jsonl'],
  ['Codex', 'codex.jsonl'],
  ['opencode', 'opencode.json'],
  ['Gemini CLI, a chat', 'gemini-chat.json'],
  ['Gemini, contents', 'gemini-contents.json'],
  ['Cline', 'cline.json'],
  ['Roo Code', 'roo.json'],
  ['Copilot CLI', 'copilot.jsonl'],
  ['SWE-agent', 'swe-agent.json'],
  ['mini-swe-agent', 'mini-swe-agent.json'],
  ['OpenHands', 'openhands-events.json'],
] as const;

const REMEMBER = 'remember: never touch the migrations folder';
const ASK = 'what must you never touch?';

type Capture = (stage: Stage, argument: string) => Promise<string> | string;

const eachFormat =
  (run: (stage: Stage, file: string) => Promise<string>): Capture =>
  async (stage) => {
    const sections: string[] = [];
    for (const [title, file] of RECORDINGS) sections.push(`### ${title}\n\n${await run(stage, file)}`);
    return sections.join('\n\n');
  };

/** What a line `<!-- NAME argument -->` of a template stands for. */
const CAPTURES: Readonly<Record<string, Capture>> = {
  RUN: (stage, words) => stage.shell(...words.split(' ')),
  DIGEST: eachFormat((stage, file) => stage.shell('digest', file, '--max-chars', '1200')),
  COMPACT: eachFormat((stage, file) =>
    stage.shell('compact', file, ...(file.startsWith('workday') ? ['--window', '8000'] : [])),
  ),
  AUDIT: eachFormat((stage, file) => stage.shell('audit', file, '--all')),
  SESSIONS: (stage) => {
    stage.stopClocks();
    return stage.shell('sessions', '--dir', 'kept');
  },
  ASKED: (stage) => stage.shell('agent', '-p', `'${REMEMBER}'`, '-p', `'${ASK}'`),
  SIM: (stage) => stage.simulator(),
  EXAMPLE: (_stage, name) => `\`\`\`ts\n${readFileSync(join(EXAMPLES, name), 'utf8').trimEnd()}\n\`\`\``,
  PRINTS: (stage, name) => stage.example(join(EXAMPLES, name)),
};

async function filled(template: string, stage: Stage): Promise<string> {
  const lines: string[] = [];
  for (const line of readFileSync(template, 'utf8').split('\n')) {
    const [, name, argument = ''] = /^<!-- ([A-Z]+)(?: (.+))? -->$/.exec(line) ?? [];
    lines.push(name === undefined ? line : await CAPTURES[name]!(stage, argument));
  }
  return lines.join('\n');
}

/** Whose Node it was does not make a page old. */
const comparable = (page: string): string => page.replace(/^(✓ Node +)\S+$/gm, '$1…');

const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-docs-')));
try {
  const folder = join(home, 'shop');
  mkdirSync(folder);
  const recording = writeClaudeCode(workday());
  const stale: string[] = [];
  const keep = (file: string, text: string): void => {
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (comparable(readFileSync(file, 'utf8')) !== comparable(text)) stale.push(file);
  };
  keep(FIXTURE, recording);
  writeFileSync(join(folder, 'workday.jsonl'), recording);
  writeFileSync(join(folder, 'workday-pi.jsonl'), writePi(workday()));
  for (const [, name] of RECORDINGS.slice(2))
    copyFileSync(here(`../../../formats/test/fixtures/${name}`), join(folder, name));
  mkdirSync(join(home, '.claude/projects/shop'), { recursive: true });
  writeFileSync(join(home, '.claude/projects/shop/0c1d7a.jsonl'), recording);
  const stage = newStage(home, folder);
  for (const { template, page } of PAGES) keep(page, await filled(template, stage));
  if (stale.length > 0) {
    console.error(`not what is printed now: ${stale.join(', ')}; npm run docs:commands`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
