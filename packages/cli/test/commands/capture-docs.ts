// Runs the commands on recordings of our own and writes down what they print:
//   node --import tsx --conditions=source packages/cli/test/commands/capture-docs.ts
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeClaudeCode, writePi } from '@palimpsest/formats';
import { workday } from './workday.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const MAIN = here('../../src/main.ts');
const FIXTURE = here('../fixtures/workday.jsonl');
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

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

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-docs-'));

function shell(...args: readonly string[]): string {
  const out = execFileSync(process.execPath, ['--import', TSX, '--conditions=source', MAIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  return `\`\`\`text\n$ palimpsest ${args.join(' ')}\n${out.trimEnd()}\n\`\`\`\n`;
}

try {
  writeFileSync(FIXTURE, writeClaudeCode(workday()));
  copyFileSync(FIXTURE, join(folder, 'workday.jsonl'));
  writeFileSync(join(folder, 'workday-pi.jsonl'), writePi(workday()));
  for (const [, name] of RECORDINGS.slice(2))
    copyFileSync(here(`../../../formats/test/fixtures/${name}`), join(folder, name));

  const section = (name: (file: string) => string): string =>
    RECORDINGS.map(([title, file]) => `### ${title}\n\n${name(file)}`).join('\n');
  const captured: Readonly<Record<string, () => string>> = {
    DIGEST: () => section((file) => shell('digest', file, '--max-chars', '1200')),
    COMPACT: () =>
      section((file) => shell('compact', file, ...(file.startsWith('workday') ? ['--window', '8000'] : []))),
    AUDIT: () => section((file) => shell('audit', file)),
    REPLAY: () => shell('replay', 'workday.jsonl', '--window', '8000'),
    RECALL: () => shell('recall', 'workday.jsonl', 'migrations', 'folder'),
  };
  const template = readFileSync(here('../fixtures/commands.template.md'), 'utf8');
  const page = template.replace(/^<!-- ([A-Z]+) -->$/gm, (_, name: string) => captured[name]!().trimEnd());
  writeFileSync(here('../../../../docs/commands.md'), page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
