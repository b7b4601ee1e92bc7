import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { partText } from '@palimpsest/core';
import { type Sim, type SimEntry, startSim } from '@palimpsest/sim';
import { newTold, runStage, type Told } from './afternoon-agent.ts';
import {
  AWAIT,
  BACKGROUND,
  makeAfternoonModel,
  PARTS,
  partFile,
  RECALL,
  ruleOf,
  SLEEP,
  wordsFor,
} from './afternoon-model.ts';
import { examineDisk, viewOnDisk } from './examine-afternoon.ts';

/** How an afternoon is to be. */
export interface AfternoonOptions {
  /** The program, up to the name of its command. */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Two empty folders. */
  readonly root: string;
  readonly home: string;
  readonly turns: number;
  readonly window: number;
  readonly note?: (line: string) => void;
}

/** Of one preset: main requests, and of the rules that had been laid down by then how many stood in them word for word. */
export interface PresetSeen {
  requests: number;
  rules: number;
  rulesInView: number;
}

export interface AfternoonSeen {
  readonly turns: number;
  /** With those that the kills and the looks behind them took. */
  readonly said: number;
  readonly requests: number;
  readonly summaries: number;
  readonly compactions: number;
  readonly undos: number;
  readonly edits: number;
  readonly subagents: number;
  readonly mcpCalls: number;
  readonly kills: number;
  readonly seconds: number;
  /** Requests that the provider refused, by rule. */
  readonly refused: readonly string[];
  /** What was not there after a kill, or at the end. */
  readonly missing: readonly string[];
  /** Processes that lived on. */
  readonly alive: readonly number[];
  readonly mended: readonly string[];
  readonly byPreset: Readonly<Record<string, PresetSeen>>;
}

/** The three that one session goes through; each until a share of the turns is over. */
const PRESETS = [
  ['default', 0.4],
  ['claude-code', 0.72],
  ['open-code', 1],
] as const;
/** Killed after these shares: in a tool, and in a summary with a subagent at work. */
const KILLS = [0.3, 0.65] as const;

/** One session of the real agent on the strict simulator, through three presets and two kills. */
export async function runAfternoon(options: AfternoonOptions): Promise<AfternoonSeen> {
  const { root, turns, window } = options;
  const told = newTold();
  const byPreset: Record<string, PresetSeen> = {};
  const refused: string[] = [];
  const sim = await startSim({
    window,
    model: makeAfternoonModel({ readValue: (file) => told.values.get(file) ?? 0 }),
    on: (entry) => noteRequest(entry, told, byPreset, refused),
  });
  const begun = performance.now();
  makeProject(options);
  const missing: string[] = [];
  const alive: number[] = [];
  const run: Run = { options, sim, told };
  const look = async (when: string): Promise<void> => {
    alive.push(...(await findAlive(root)));
    missing.push(...(await examineDisk(told, options)).map((one) => `${when}: ${one}`));
    options.note?.(`${when}: ${told.words.length} turns, ${told.receipts.size} compactions, ${missing.length} missing`);
  };
  const goOn = async (when: string, turn: number): Promise<void> =>
    void missing.push(...(await checkContinuity(run, turn)).map((one) => `${when}: ${one}`));
  try {
    const [first, second] = KILLS.map((share) => Math.floor(turns * share)) as [number, number];
    await stageOf(run, [...planWords(1, first, turns), `turn ${first}: ${SLEEP}`], () => hasPid(root, first));
    await look('after the first kill');
    await goOn('after the first kill', first);
    const last = [`turn ${second}: ${BACKGROUND}`, `turn ${second}: ${AWAIT}`, '/compact all'];
    let before = -1;
    await stageOf(run, [...planWords(first + 1, second, turns), ...last], () => {
      if (told.words.at(-1)?.endsWith(AWAIT) !== true) before = told.asked;
      return before >= 0 && told.asked > before;
    });
    await look('after the second kill');
    await goOn('after the second kill', second);
    await stageOf(run, planWords(second + 1, turns, turns));
    await look('at the end');
    missing.push(...told.problems);
    const seconds = (performance.now() - begun) / 1_000;
    return { ...countAll(run), byPreset, refused, missing, alive, mended: told.mended, seconds };
  } finally {
    await sim.close();
  }
}

interface Run {
  readonly options: AfternoonOptions;
  readonly sim: Sim;
  readonly told: Told;
}

/** Two turns of a cycle are followed by a compaction that is taken back. */
const UNDO_EVERY = 23;

function planWords(from: number, to: number, turns: number): readonly string[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).flatMap((turn) => {
    const next = PRESETS.findIndex(([, until], at) => at < PRESETS.length - 1 && turn === Math.floor(turns * until));
    return [
      wordsFor(turn),
      ...(turn % UNDO_EVERY === 0 ? ['/compact', '/undo'] : []),
      ...(next < 0 ? [] : [`/preset ${PRESETS[next + 1]![0]}`]),
    ];
  });
}

function stageOf({ options, sim, told }: Run, said: readonly string[], killWhen?: () => boolean) {
  const { program, root, home, window, environment } = options;
  const flags = ['--cwd', root, '--json', '--allow', '--window', String(window)];
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-5', '--base-url', sim.url];
  const resume = told.id === '' ? [] : ['--resume', told.id];
  return runStage(said, {
    command: [...program, 'agent', ...flags, ...model, ...resume],
    environment: { ...environment, PALIMPSEST_HOME: home, ANTHROPIC_API_KEY: 'any' },
    told,
    ...(killWhen === undefined ? {} : { killWhen }),
  });
}

function makeProject({ root, home, program }: AfternoonOptions): void {
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'pids'), { recursive: true });
  for (let n = 0; n < PARTS; n++) {
    const lines = Array.from(
      { length: 70 },
      (_, i) => `export const line${i} = 'part ${n}, line ${i}, ${n * 37 + i}';`,
    );
    writeFileSync(join(root, partFile(n)), `export const value = 0;\n${lines.join('\n')}\n`);
  }
  writeFileSync(
    join(root, 'check.mjs'),
    `const turn = process.argv[2];
for (let n = 0; n < ${PARTS}; n++) {
  const { value } = await import(\`./src/part-\${n}.mjs\`);
  console.log(\`ok \${turn}.\${n} the value of part \${n} is \${value}, as it was read from its file\`);
}
console.log(\`all checks of turn \${turn} passed\`);
`,
  );
  const [command = '', ...args] = program;
  const server = {
    command: '/bin/sh',
    args: ['-c', 'echo $$ > pids/mcp-$$; exec "$@"', 'sh', command, ...args, 'mcp'],
    env: { PALIMPSEST_HOME: home },
  };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ mcpServers: { past: server } }));
}

const hasPid = (root: string, turn: number): boolean => {
  const file = join(root, 'pids', String(turn));
  return existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
};

/** Of all processes that have written down who they are, those that live on; each has a while to go. */
async function findAlive(root: string): Promise<readonly number[]> {
  const pids = readdirSync(join(root, 'pids')).map((name) => Number(readFileSync(join(root, 'pids', name), 'utf8')));
  for (let tries = 0; tries < 100; tries++) {
    if (!pids.some(isAlive)) return [];
    await sleep(100);
  }
  return pids.filter(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Stands in a view for a call that the kill left open; the agent answers it when it goes on. */
const PENDING = 'No result yet.';

/** Requests of the agent itself: subagents start no tasks. */
const isMain = ({ body, summary }: SimEntry): boolean => !summary && JSON.stringify(body).includes('"name":"task"');

function noteRequest(entry: SimEntry, told: Told, byPreset: Record<string, PresetSeen>, refused: string[]): void {
  if (entry.status !== 200) refused.push(entry.problem?.rule ?? String(entry.status));
  if (!isMain(entry)) return;
  byPreset[told.preset] ??= { requests: 0, rules: 0, rulesInView: 0 };
  const seen = byPreset[told.preset]!;
  const sent = JSON.stringify(entry.body);
  const rules = told.words.flatMap((words) => {
    const turn = Number(/^turn (\d+): rule/.exec(words)?.[1] ?? 0);
    return turn === 0 ? [] : [ruleOf(turn)];
  });
  seen.requests++;
  seen.rules += rules.length;
  seen.rulesInView += rules.filter((rule) => sent.includes(rule)).length;
}

/**
 * The session goes on: what the view held on disk is what the provider is sent, a reference from before the kill is read, the
 * preset is the one before, and after a compaction the newest todo stands in the view.
 */
async function checkContinuity(run: Run, turn: number): Promise<readonly string[]> {
  const { sim, told, options } = run;
  const preset = told.preset;
  const view = await viewOnDisk(told, options);
  const [sent, walks] = [sim.requests.length, told.receipts.size];
  const reference = [...told.receipts]
    .filter(([walk]) => !told.reverted.has(walk))
    .flatMap(([, receipt]) => receipt.lines.flatMap((line) => line.refs))[0];
  const goOn = reference === undefined ? `turn ${turn}: talk: go on.` : `turn ${turn}: ${RECALL} ${reference}`;
  const results = told.results.size;
  await stageOf(run, [goOn, '/compact all', `turn ${turn}: talk: is all of it still there?`]);
  const bodies = sim.requests
    .slice(sent)
    .filter(isMain)
    .map(({ body }) => JSON.stringify(body));
  const [first = '', last = ''] = [bodies[0], bodies.at(-1)];
  const isHeld = (text: string): boolean => first.includes(JSON.stringify(text.trim()).slice(1, -1));
  const shown = view.flatMap(({ parts }) => parts.filter(({ type }) => type === 'text' || type === 'result'));
  const gone = shown.map(partText).filter((text) => text !== PENDING && !isHeld(text));
  const hadRoom = told.receipts.size - walks <= 1;
  return [
    ...(hadRoom ? gone.map((text) => `not sent: “${text.slice(0, 80)}”`) : []),
    ...(told.presets.at(-1) === preset ? [] : [`the preset was ${preset} and is ${told.presets.at(-1)}`]),
    ...(reference !== undefined && told.results.size === results ? [`${reference} was not recalled`] : []),
    ...(last.includes(told.todo) ? [] : [`the todo “${told.todo}” is not in view`]),
  ];
}

function countAll({ options, sim, told }: Run) {
  return {
    turns: options.turns,
    said: told.words.length,
    requests: sim.requests.length,
    summaries: sim.requests.filter(({ summary }) => summary).length,
    compactions: told.receipts.size,
    undos: told.reverted.size,
    edits: told.edits,
    subagents: told.tasks.size,
    mcpCalls: told.mcpCalls,
    kills: KILLS.length,
  };
}
