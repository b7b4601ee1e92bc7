import { basename } from 'node:path';
import { formatCount, jsonText, oneLine, padEnd, padStart, wrap } from '@palimpsest/terminal';
import { PRICES_DATE } from '@palimpsest/wire';
import { Command, Option } from 'commander';
import {
  type Account,
  addUpAll,
  addUpBy,
  countOnce,
  listOwn,
  listRecorded,
  type Spent,
} from '../cost/gather-spending.ts';
import { type PriceOf, readPrices } from '../cost/price-table.ts';
import { jsonOption, parseTime } from '../options/shared-options.ts';
import { formatDollars, formatMillions, formatTokens } from '../printing/figures.ts';
import { newProgress } from '../printing/progress.ts';
import { shortenMiddle } from '../printing/shorten-middle.ts';
import { openRecording } from '../recordings/open-recording.ts';
import { findAgentSessions } from '../stores/agent-sessions.ts';
import { expandSessions } from '../stores/expand-sessions.ts';
import { dirOption, openStore, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

const KEYS = ['day', 'model', 'session'] as const;
type Key = (typeof KEYS)[number];

interface CostFlags {
  readonly by?: Key;
  readonly since?: number;
  readonly prices?: string;
  readonly dir?: string;
  readonly json?: true;
}

export const costCommand = (terminal: Terminal): Command =>
  new Command('cost')
    .summary('what agents used here, by day, model and session')
    .description('what agents used on this machine, by day, model and session, as their providers reported it')
    .argument(
      '[file...]',
      'sessions by path, id or project, or folders of them (default: all that are found on this machine)',
    )
    .addOption(new Option('--by <what>', 'only by this, and all lines of it').choices([...KEYS]))
    .option('--since <time>', 'only what was used then or later', parseTime)
    .option('--prices <file>', 'prices by model, as JSON (default: the vendors’ list prices)')
    .addOption(dirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  palimpsest cost --since 2026-11-01\n  palimpsest cost ~/.claude/projects --by model',
    )
    .action((files: readonly string[], flags: CostFlags) => run(terminal, files, flags));

async function run(terminal: Terminal, named: readonly string[], flags: CostFlags): Promise<void> {
  const priceOf = await readPrices(flags.prices);
  const progress = newProgress();
  const all = await (named.length > 0
    ? readNamed(terminal, named, priceOf)
    : readFound(terminal, flags.dir, priceOf, progress.show)
  ).finally(progress.end);
  const from = flags.since === undefined ? '' : new Date(flags.since).toISOString().slice(0, 10);
  const once = countOnce(all);
  const spent = once.filter(({ day }) => from === '' || (day >= from && day !== 'unknown'));
  if (spent.length === 0) throw new Error('no provider reported any use in the sessions that were found');
  const keys = flags.by === undefined ? KEYS : [flags.by];
  const tables = keys.map((key) => [key, addUpBy(key, spent)] as const);
  const repeated = all.length - once.length;
  if (flags.json) terminal.print(jsonText({ total: addUpAll(spent), repeated, ...Object.fromEntries(tables) }, 2));
  else {
    printTotal(terminal, spent, repeated);
    printTables(terminal, tables, flags);
  }
}

async function readNamed(terminal: Terminal, named: readonly string[], priceOf: PriceOf): Promise<readonly Spent[]> {
  const { sessions, inFolders } = await expandSessions(terminal, named);
  const spent: Spent[] = [];
  for (const found of sessions) {
    if (found.type === 'own') {
      const { records } = await openStore(storeFolder(terminal.environment, undefined)).read(found.id);
      spent.push(...listOwn(records, found.id));
      continue;
    }
    const { file } = found;
    const recording = await openRecording(file).catch((error: Error) => {
      if (!inFolders.has(found)) throw error;
      return undefined;
    });
    if (recording !== undefined)
      spent.push(...listRecorded(recording, { agent: recording.format, session: basename(file) }, priceOf));
  }
  return spent;
}

/** What cannot be read is no session of which anything is known. */
async function readFound(
  { environment }: Terminal,
  dir: string | undefined,
  priceOf: PriceOf,
  onStep: (text: string) => void,
): Promise<readonly Spent[]> {
  const spent: Spent[] = [];
  for (const { agent, sessions, readBy } of await findAgentSessions(environment))
    for (const { file } of readBy === undefined ? sessions : []) {
      onStep(`${agent}: ${basename(file)}`);
      const recording = await openRecording(file).catch(() => undefined);
      if (recording !== undefined) spent.push(...listRecorded(recording, { agent, session: basename(file) }, priceOf));
    }
  const store = openStore(storeFolder(environment, dir));
  for (const { id } of await store.list()) {
    const stored = await store.read(id).catch(() => undefined);
    if (stored !== undefined) spent.push(...listOwn(stored.records, id));
  }
  return spent;
}

/** How many lines of each are shown unless one is asked for. */
const SHOWN = 7;
const NAME = 28;

function printTotal({ print, paint, columns }: Terminal, spent: readonly Spent[], repeated: number): void {
  const total = addUpAll(spent);
  const days = new Set(spent.map(({ day }) => day)).size;
  print(`${paint.bold(formatSum(total))} in ${formatCount(total.calls, 'model call')} on ${formatCount(days, 'day')}`);
  print(paint.dim(`US dollars, at the vendors' list prices of ${PRICES_DATE} (--prices states others)`));
  if (repeated > 0) print(paint.dim(`${formatCount(repeated, 'call')} found in several files: each is counted once`));
  if (total.unpriced === 0) return;
  const models = [...new Set(spent.flatMap(({ model, money }) => (money === undefined ? model : [])))].join(', ');
  const told = `The price of ${formatCount(total.unpriced, 'call')} is not known, and they are in no figure of money: ${oneLine(models)}.`;
  for (const line of wrap(told, columns)) print(paint.yellow(line));
}

/** Calls without a known price cost something, but nobody knows what. */
const formatSum = ({ money, calls, unpriced }: Account): string =>
  unpriced === calls ? 'unknown' : `${unpriced > 0 ? '≥ ' : ''}${formatDollars(money)}`;

function printTables(
  { print, paint }: Terminal,
  tables: readonly (readonly [Key, readonly Account[]])[],
  { by }: CostFlags,
): void {
  for (const [key, accounts] of tables) {
    const shown = by === undefined ? accounts.slice(0, SHOWN) : accounts;
    print();
    print(
      paint.dim(
        `${padEnd(`by ${key}`, NAME)}${padStart('money', 10)}${padStart('calls', 8)}${padStart('input', 8)}${padStart('read', 9)}${padStart('written', 9)}${padStart('output', 8)}`,
      ),
    );
    for (const one of shown) print(rowOf(one));
    if (shown.length < accounts.length) print(paint.dim(`… and ${accounts.length - shown.length} more: --by ${key}`));
  }
}

const rowOf = (account: Account): string => {
  const { name, calls, input, cacheRead, cacheWrite, output } = account;
  return [
    padEnd(shortenMiddle(oneLine(name), NAME - 1), NAME),
    padStart(formatSum(account), 10),
    padStart(formatMillions(calls), 8),
    ...[input, cacheRead, cacheWrite, output].map((tokens, i) => padStart(formatTokens(tokens), [8, 9, 9, 8][i] ?? 8)),
  ].join('');
};
