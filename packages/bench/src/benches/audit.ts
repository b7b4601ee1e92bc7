import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Bench } from '../bench.ts';

const run = promisify(execFile);
const PALIMPSEST = fileURLToPath(new URL('../../../cli/bin/palimpsest.mjs', import.meta.url));
const MOST_BYTES = 256 * 1024 * 1024;

type Losses = Readonly<Record<string, { readonly needed: number; readonly lost: readonly unknown[] }>>;

/** What `palimpsest audit --json` prints, as far as it is added up here. */
interface Audit {
  readonly compactions: readonly {
    readonly type: string;
    readonly losses: Losses;
    readonly ours: readonly { readonly preset: string; readonly losses: Losses }[];
  }[];
}

type Tally = Map<string, { kept: number; needed: number }>;

const percent = ({ kept, needed }: { kept: number; needed: number }): string =>
  needed === 0 ? '–' : `${((100 * kept) / needed).toFixed(1)} %`;

function add(tallies: Map<string, Tally>, name: string, losses: Losses): void {
  const tally = tallies.get(name) ?? new Map();
  tallies.set(name, tally);
  for (const [kind, { needed, lost }] of Object.entries(losses)) {
    const before = tally.get(kind) ?? { kept: 0, needed: 0 };
    tally.set(kind, { kept: before.kept + needed - lost.length, needed: before.needed + needed });
  }
}

/** `palimpsest audit` of every recording, added up: what was kept at recorded summaries, theirs and ours at the same size. */
export const auditBench: Bench = async (print, args) => {
  const { values } = parseArgs({ args: [...args], options: { sessions: { type: 'string' } } });
  if (values.sessions === undefined)
    throw new Error('say where recorded sessions are: npm run bench -- audit --sessions FOLDER');
  const entries = await readdir(values.sessions, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const tallies = new Map<string, Tally>();
  let summaries = 0;
  for (const file of files.sort()) {
    const audit = await run(process.execPath, [PALIMPSEST, 'audit', file, '--json'], { maxBuffer: MOST_BYTES }).then(
      ({ stdout }) => JSON.parse(stdout) as Audit,
      (error: { stderr?: string }) => print(`left out: ${String(error.stderr ?? error).trim()}`),
    );
    for (const { type, losses, ours } of audit?.compactions ?? []) {
      if (type !== 'summary') continue;
      summaries++;
      add(tallies, 'the recording', losses);
      for (const one of ours) add(tallies, one.preset, one.losses);
    }
  }
  print(`${summaries} recorded summaries; of what was needed afterwards, what was in view right after each.`);
  const kinds = [...(tallies.get('the recording')?.keys() ?? [])];
  print(`| | ${kinds.join(' | ')} |`);
  print(`|---|${kinds.map(() => '---|').join('')}`);
  for (const [name, tally] of tallies)
    print(`| ${name} | ${kinds.map((kind) => percent(tally.get(kind)!)).join(' | ')} |`);
  return summaries > 0;
};
