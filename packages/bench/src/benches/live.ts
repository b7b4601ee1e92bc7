import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startGateway } from '@palimpsest/gateway';
import { DEFAULT_MODELS, type SimEntry, type SimModel, startSim } from '@palimpsest/sim';
import type { Bench, Print } from '../bench.ts';
import { formatPercent, formatVerdict } from '../figures.ts';
import { LIVE_CLIENTS, type LiveClient } from '../live/clients.ts';
import { factOf, makeProject } from '../live/make-project.ts';
import { readingModel } from '../live/reading-model.ts';
import { type SplitBill, splitBill } from '../live/split-bill.ts';
import { readSizes } from '../read-sizes.ts';

const WINDOW = 60_000;
const FILES = 120;
const PATIENCE_MS = 900_000;
/** What a client prints, in its home. */
const SAID = 'client.txt';
const RULE = 'never modify lib/part-007.ts';
const CODE = 'QX-4471-ZED';
const PROMPT = `Read every file in lib in order, one file at a time, and say when all are read. Constraint: ${RULE} under any circumstances. The release code is ${CODE}.`;

/** What gemini-cli asks whether it goes round in circles. */
const FLASH: SimModel = {
  ...DEFAULT_MODELS.find(({ name }) => name === 'gemini-2.5-flash')!,
  name: 'gemini-3-flash-preview',
};

interface Run {
  readonly client: string;
  readonly isThrough: boolean;
  /** Some of its requests were answered by a fault. */
  readonly isFaulty: boolean;
  readonly exitCode: number | null;
  readonly read: number;
  readonly requests: number;
  readonly tooLong: number;
  readonly invalid: number;
  /** Lines of what the client printed that speak of an error. */
  readonly errors: number;
  readonly summaries: number;
  readonly money: number;
  readonly cached: number;
  /** Shares of the requests that work: with the rule and the code in them, and of the values read so far. */
  readonly ruled: number;
  /** Of the requests that work or ask for a summary. */
  readonly spent: SplitBill;
  readonly facts: number;
}

const findModel = ({ model }: LiveClient): SimModel => DEFAULT_MODELS.find(({ name }) => name === model)!;

/** Requests with tools: those of the work itself, and some for a summary. */
const isWork = ({ body, status }: SimEntry): boolean =>
  status === 200 && Array.isArray((body as { tools?: unknown }).tools);

/** Where clients run, and how many of their requests are answered with a fault (`--faults 0.05`). */
interface Ground {
  readonly folder: string;
  readonly faults: number;
  readonly note: Print;
}

async function runClient(
  name: string,
  client: LiveClient,
  isThrough: boolean,
  { folder, faults, note }: Ground,
): Promise<Run> {
  const home = join(folder, `${name}-${isThrough ? 'through' : 'alone'}`);
  const project = join(folder, 'project');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  makeProject(project, FILES);
  const model = readingModel(project, FILES, PROMPT);
  const counts: number[] = [];
  const sim = await startSim({
    window: WINDOW,
    models: [FLASH],
    ...(faults > 0 ? { faults: { rate: faults, seed: 7 } } : {}),
    model: (request) => {
      counts[request.n] = model.read();
      return model(request);
    },
  });
  const gateway = isThrough ? await startGateway({ upstreams: { '*': sim.url }, window: WINDOW }) : undefined;
  try {
    const window = isThrough ? 1_000_000 : WINDOW;
    const at = { url: gateway?.url ?? sim.url, home, project: realpathSync(project), prompt: PROMPT, window };
    const exitCode = await runProgram(client, at, home);
    const isSummary = ({ n, summary }: SimEntry): boolean => summary || model.isSummary(n);
    const work = sim.requests.filter((entry) => isWork(entry) && !isSummary(entry));
    const texts = work.map(({ n, body }) => ({ text: JSON.stringify(body), read: counts[n] ?? 0 }));
    const bill = sim.bill();
    for (const problem of new Set(sim.requests.flatMap(({ problem: one }) => (one ? [JSON.stringify(one)] : []))))
      note(`${name}, ${isThrough ? 'through' : 'alone'}: refused: ${problem}`);
    const shareOf = (holds: (one: (typeof texts)[number]) => number): number =>
      texts.reduce((sum, one) => sum + holds(one), 0) / Math.max(1, texts.length);
    return {
      client: name,
      isThrough,
      isFaulty: faults > 0,
      exitCode,
      read: model.read(),
      requests: sim.requests.length,
      tooLong: sim.requests.filter(({ problem }) => problem?.rule === 'too-long').length,
      invalid: sim.requests.filter(({ problem }) => problem !== undefined && problem.rule !== 'too-long').length,
      errors: countErrors(readFileSync(join(home, SAID), 'utf8')),
      summaries: sim.requests.filter(isSummary).length,
      money: bill.money,
      spent: splitBill(work, sim.requests.filter(isSummary), findModel(client)),
      cached: bill.cacheRead / (bill.cacheRead + bill.cacheWrite + bill.input),
      ruled: shareOf(({ text }) => (text.includes(RULE) && text.includes(CODE) ? 1 : 0)),
      facts: shareOf(({ text, read }) => countFacts(text, read) / Math.max(1, read)),
    };
  } finally {
    await gateway?.close({ graceMs: 0 });
    await sim.close();
  }
}

const countErrors = (said: string): number =>
  said.split('\n').filter((line) => /\berror\b|\bfailed\b/i.test(line)).length;

const countFacts = (text: string, read: number): number =>
  Array.from({ length: read }, (_, n) => factOf(n)).filter((fact) => text.includes(fact)).length;

async function runProgram(
  client: LiveClient,
  at: Parameters<LiveClient['start']>[0],
  home: string,
): Promise<number | null> {
  const { words, env } = client.start(at);
  const log = openSync(join(home, SAID), 'w');
  const base = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), TERM: 'dumb', CI: '1' };
  const child = spawn(findProgram(client), [...words], {
    cwd: at.project,
    env: { ...base, XDG_DATA_HOME: join(home, '.data'), XDG_STATE_HOME: join(home, '.state'), NO_PROXY: '*', ...env },
    stdio: ['ignore', log, log],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const exitCode = await new Promise<number | null>((end) => child.once('exit', (code) => end(code)));
  clearTimeout(timer);
  closeSync(log);
  return exitCode;
}

const CLIENTS = resolve(process.env.CLIENTS ?? '.clients');
const findProgram = ({ program }: LiveClient): string => join(CLIENTS, program, 'node_modules', '.bin', program);

const SPENT: readonly (keyof SplitBill)[] = ['prefix', 'view', 'said', 'anew', 'answers', 'summaries'];

/** Where the money goes; titles and checks aside. */
function printSpent(runs: readonly Run[], print: Print): void {
  print(
    '| client | | system prompt and tools, read | the view behind them, read | said first | written anew | answers | summaries |',
  );
  print('|---|---|---|---|---|---|---|---|');
  for (const { client, isThrough, spent } of runs) {
    const figures = SPENT.map((name) => spent[name].toFixed(3)).join(' | ');
    print(`| ${client} | ${isThrough ? 'through' : 'alone'} | ${figures} |`);
  }
}

export const liveBench: Bench<readonly Run[]> = {
  name: 'live',
  takes: ['faults', 'through'],
  async run(args: readonly string[], note: Print) {
    const folder = resolve('.clients', 'runs');
    mkdirSync(folder, { recursive: true });
    const { faults } = readSizes(args, { faults: 0 });
    const chosen = args.filter((arg) => Object.hasOwn(LIVE_CLIENTS, arg));
    const ground = { folder, faults, note };
    const runs: Run[] = [];
    for (const [name, client] of Object.entries(LIVE_CLIENTS)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      if (!existsSync(findProgram(client))) {
        note(`${name} is not there: npm install --prefix ${join(CLIENTS, client.program)} ${client.npm}`);
        continue;
      }
      const ways = args.includes('--through') ? [true] : [false, true];
      for (const isThrough of ways) runs.push(await runClient(name, client, isThrough, ground));
    }
    return runs;
  },
  print(runs, print) {
    print(
      '| client | | files | requests | too long | invalid | errors | summaries | money | cached | rule and code in views | facts, mean |',
    );
    print('|---|---|---|---|---|---|---|---|---|---|---|---|');
    for (const run of runs) {
      const alone = runs.find(({ client, isThrough }) => client === run.client && !isThrough)?.money;
      const share = run.isThrough && alone !== undefined ? ` (${(run.money / alone).toFixed(2)})` : '';
      const money = `${run.money.toFixed(2)}${share}`;
      const figures = [run.read, run.requests, run.tooLong, run.invalid, run.errors, run.summaries, money].join(' | ');
      print(
        `| ${run.client} | ${run.isThrough ? 'through' : 'alone'} | ${figures} | ${formatPercent(run.cached)} | ${formatPercent(run.ruled)} | ${formatPercent(run.facts)} |`,
      );
    }
    printSpent(runs, print);
    const isMet = runs
      .filter(({ isThrough }) => isThrough)
      .every(
        // A fault is an error, and some clients end at one.
        ({ isFaulty, exitCode, read, tooLong, invalid, errors, ruled }) =>
          tooLong + invalid === 0 && ruled === 1 && (isFaulty || (exitCode === 0 && read === FILES && errors === 0)),
      );
    const whole = runs.some(({ isFaulty }) => isFaulty) ? '' : 'all finish, no client says an error, ';
    print(`${whole}nothing is refused, rule and code in every view: ${formatVerdict(isMet)}`);
    return isMet;
  },
};
