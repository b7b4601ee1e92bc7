import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSim } from '@palimpsest/sim';
import { layOutExercises, TALK, WEEK } from './exercise-folder.ts';
import { readingModel } from './reading-model.ts';

const TEMPLATE = fileURLToPath(new URL('../fixtures/exercises.template.md', import.meta.url));
const run = promisify(execFile);

interface Run {
  readonly flags: readonly string[];
  /** The window of the server that it talks to; without it, the offline model. */
  readonly server?: number;
  readonly said: readonly string[];
  /** What `.palimpsest/settings.json` says. */
  readonly settings?: object;
}

interface Stage {
  readonly program: string;
  readonly home: string;
  readonly root: string;
  readonly hasServer: boolean;
}

/** What a line `<!-- NAME -->` of the template stands for: what the agent is started with, and what is said to it. */
const RUNS: Readonly<Record<string, Run>> = {
  PLACEHOLDERS: {
    flags: ['--preset', 's08'],
    said: ['Read README.md, then read code.py, then read s01/README.md', 'read log/day-1.md', 'what was in README.md?'],
  },
  DISK: { flags: ['--preset', 's08', '--window', '200000'], said: ['Read every file in notes', '/receipt'] },
  TURNS: {
    flags: ['--preset', 's08', '--window', '10000'],
    said: ['remember: never touch the weir', ...TALK, 'what must you never touch?'],
  },
  REFUSED: {
    flags: ['--preset', 's08', '--window', '24000'],
    server: 16_000,
    said: ['remember: never touch the weir', ...WEEK.slice(0, 5)],
  },
  PRUNE: {
    settings: { compaction: { preset: 'open-code', prune: true } },
    flags: ['--window', '400000'],
    said: [1, 2, 3, 4, 5, 6].map((day) => `read notes/day-${day}.md`),
  },
  OVERFLOW: {
    flags: ['--preset', 'open-code', '--window', '64000'],
    server: 40_000,
    said: [...WEEK, '/receipt'],
  },
};

/** The page as the agent writes it today: every transcript is what a run prints. */
export async function writeExercises(program: string): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-exercises-')));
  try {
    const lines: string[] = [];
    for (const line of readFileSync(TEMPLATE, 'utf8').split('\n')) {
      const name = /^<!-- ([A-Z]+) -->$/.exec(line)?.[1];
      lines.push(name === undefined ? line : await capture(name, program, join(home, name.toLowerCase())));
    }
    return lines.join('\n');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function capture(name: string, program: string, home: string): Promise<string> {
  const { flags, server, said, settings } = RUNS[name]!;
  const root = join(home, 'course');
  mkdirSync(root, { recursive: true });
  layOutExercises(root);
  if (settings !== undefined) {
    mkdirSync(join(root, '.palimpsest'));
    writeFileSync(join(root, '.palimpsest/settings.json'), JSON.stringify(settings));
  }
  const before = settings === undefined ? '' : `$ cat .palimpsest/settings.json\n${JSON.stringify(settings)}\n`;
  const sim = server === undefined ? undefined : await startSim({ window: server, model: readingModel });
  try {
    const words = (url: string): readonly string[] => (sim === undefined ? flags : [...flags, ...SERVER, url]);
    const out = await talk({ program, home, root, hasServer: sim !== undefined }, words(`${sim?.url}/v1`), said);
    return `\`\`\`text\n${before}${show(words('http://127.0.0.1:8787/v1'), said, out)}\n\`\`\``;
  } finally {
    await sim?.close();
  }
}

const SERVER = ['--provider', 'openai-chat', '--model', 'gpt-5.5', '--base-url'];

/** Both outputs as one sees them in a terminal. */
async function talk(
  { program, home, root, hasServer }: Stage,
  flags: readonly string[],
  said: readonly string[],
): Promise<string> {
  const script = join(home, 'run.sh');
  writeFileSync(script, 'exec "$@" 2>&1\n');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PALIMPSEST_HOME: join(home, 'kept'),
    NO_COLOR: '1',
    ...(!hasServer ? {} : { OPENAI_API_KEY: 'any-key' }),
  };
  const args = [script, process.execPath, program, 'agent', ...flags, ...said.flatMap((one) => ['-p', one])];
  const { stdout } = await run('/bin/sh', args, { cwd: root, env, maxBuffer: 1 << 24 });
  return stdout.trimEnd().replaceAll(home, '/home/you');
}

/** As somebody would type it; long talks are typed once. */
function show(flags: readonly string[], said: readonly string[], out: string): string {
  const quoted = said.map((one) => `-p '${one}'`);
  const shown = quoted.length <= 9 ? quoted : [...quoted.slice(0, 3), '…', ...quoted.slice(-2)];
  return `$ palimpsest agent ${flags.join(' ')} \\\n    ${shown.join(' \\\n    ')}\n${out}`;
}
