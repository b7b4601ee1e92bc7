import { once } from 'node:events';
import type { Bill, Sim, SimEntry, SimOptions } from '@palimpsest/sim';
import {
  clip,
  formatCount,
  formatMoney,
  formatNumber,
  jsonText,
  oneLine,
  padEnd,
  padStart,
  textWidth,
} from '@palimpsest/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { codeOf } from '../files/system-failure.ts';
import { jsonOption, parsePort, parseTokens, parseWholeNumber } from '../options/shared-options.ts';
import { formatPercent } from '../printing/figures.ts';
import type { Terminal } from '../terminal.ts';

interface SimFlags {
  readonly port?: number;
  readonly window?: number;
  readonly faults?: number;
  readonly seed: number;
  readonly turns?: number;
  readonly dir?: string;
  readonly json?: true;
}

export const simCommand = (terminal: Terminal): Command =>
  new Command('sim')
    .summary('a provider to test an agent against')
    .description('start a provider to test an agent against; on this machine only, needs no key')
    .option('--port <number>', 'the port to listen on (default: any free one)', parsePort)
    .option('--window <tokens>', 'one context window for all models (default: their own)', parseTokens)
    .option('--faults <share>', 'how many requests go wrong, from 0 to 1 (default: none)', parseShare)
    .option('--seed <number>', 'the same seed gives the same answers, ids and faults', parseWholeNumber, 1)
    .option(
      '--turns <number>',
      'model calls in a conversation until the model says that it is done (default: never)',
      parseWholeNumber,
    )
    .option('--dir <folder>', 'what the model works on, and asks to edit (default: a made-up one)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Speaks Anthropic Messages, OpenAI Chat and Responses, and Gemini. Refuses what
they refuse, and counts their prompt caches. Ctrl-C ends it and prints the bill.

Example:
  palimpsest sim --port 8787 --window 16000 --faults 0.03`,
    )
    .action((flags: SimFlags) => run(terminal, flags));

async function run(terminal: Terminal, flags: SimFlags): Promise<void> {
  const { print, signal } = terminal;
  const sim = await startSimulator(flags, (entry) =>
    print(flags.json ? jsonText(tellRequest(entry)) : spellRequest(entry)),
  );
  try {
    if (flags.json) print(jsonText({ type: 'started', url: sim.url }));
    else printStart(terminal, sim.url);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await sim.close();
  }
  if (flags.json) print(jsonText({ type: 'ended', ...countRequests(sim), bill: sim.bill() }));
  else printBill(terminal, sim);
}

async function startSimulator(
  { port, window, faults, seed, turns, dir }: SimFlags,
  on: (entry: SimEntry) => void,
): Promise<Sim> {
  // Loaded where it is needed: no other command should wait for a web server.
  const { explorer, startSim } = await import('@palimpsest/sim');
  try {
    const options: SimOptions = {
      seed,
      on,
      model: explorer({
        seed,
        ...(turns === undefined ? {} : { turns }),
        ...(dir === undefined ? {} : { dir }),
      }),
      ...(window === undefined ? {} : { window }),
      ...(port === undefined ? {} : { port }),
      ...(faults === undefined ? {} : { faults: { rate: faults, seed } }),
    };
    return await startSim(options);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is in use: name another one, or none for any free one.`);
    if (code === 'EACCES' && port !== undefined && port < 1024)
      throw new Error(`no permission to listen on port ${port}: name one from 1024 on.`);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`${dir} is no folder: name one with text files.`);
    throw error;
  }
}

function printStart({ print, paint }: Terminal, url: string): void {
  print(paint.bold(url));
  print();
  print(`Anthropic   new Anthropic({ baseURL: '${url}', apiKey: 'any' })`);
  print(`OpenAI      new OpenAI({ baseURL: '${url}/v1', apiKey: 'any' })`);
  print(`Gemini      new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: '${url}' } })`);
  print();
  print('The model calls the tools list, read, grep, edit and run, or those it is offered.');
  print('Ctrl-C ends it and prints the bill.');
}

const MOST_NAME = 40;
const MOST_TOLD = 160;

const inputOf = ({ usage }: SimEntry): number =>
  usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;

/** A request in one line. What it was refused for names fields and models of the caller's, so it is told as text. */
function spellRequest(entry: SimEntry): string {
  const { n, path, model, status, problem, fault, usage, summary } = entry;
  const told =
    usage === undefined
      ? (problem?.message ?? fault ?? '')
      : [
          `${formatNumber(inputOf(entry))} in, ${formatPercent(usage.cacheRead, inputOf(entry))} cached`,
          `${formatNumber(usage.output)} out`,
          ...(summary ? ['a summary'] : []),
          ...(fault === undefined ? [] : [fault]),
        ].join(' · ');
  const head = `${padStart(String(n), 5)}  ${status}  ${oneLine(path)}  ${clip(oneLine(model), MOST_NAME)}`;
  return `${head}  ${clip(oneLine(told), MOST_TOLD)}`;
}

const tellRequest = ({ n, path, model, status, problem, fault, usage, money, summary }: SimEntry) => ({
  type: 'request',
  n,
  path,
  model,
  status,
  ...(problem === undefined ? {} : { refused: { rule: problem.rule, path: problem.path, message: problem.message } }),
  ...(fault === undefined ? {} : { fault }),
  ...(usage === undefined ? {} : { usage, money }),
  summary,
});

const countRequests = ({ requests }: Sim) => ({
  requests: requests.length,
  refused: requests.filter((entry) => entry.problem !== undefined).length,
  faults: requests.filter((entry) => entry.fault !== undefined).length,
});

function printBill({ print, paint }: Terminal, sim: Sim): void {
  const { requests, refused, faults } = countRequests(sim);
  const bill: Bill = sim.bill();
  print();
  print(
    `${formatCount(requests, 'request')}: ${formatNumber(bill.requests)} answered, ${formatNumber(refused)} refused, ${formatCount(faults, 'fault')}`,
  );
  const lines = Object.entries(bill.byModel)
    .filter(([, line]) => line.requests > 0)
    // Whoever asked named the model.
    .map(([name, line]) => [clip(oneLine(name), MOST_NAME), line] as const);
  if (lines.length === 0) return;
  const width = Math.max(...lines.map(([name]) => textWidth(name)), 'all'.length) + 2;
  const row = (cells: readonly string[]): string => cells.map((cell) => padStart(cell, 12)).join('');
  print(paint.dim(`${padEnd('model', width)}${row(['answers', 'input', 'cached', 'output', 'money'])}`));
  for (const [name, line] of [...lines, ['all', bill] as const]) {
    const input = line.input + line.cacheRead + line.cacheWrite;
    const cells = [
      formatNumber(line.requests),
      formatNumber(input),
      formatPercent(line.cacheRead, input),
      formatNumber(line.output),
    ];
    print(`${padEnd(name, width)}${row([...cells, formatMoney(line.money)])}`);
  }
}

function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}
