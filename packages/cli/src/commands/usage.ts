import type { UsageKey, UsageSum } from '@palimpsest/store-postgres';
import { formatCount, formatNumber, jsonText, oneLine, padEnd, padStart } from '@palimpsest/terminal';
import { Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption } from '../options/shared-options.ts';
import { formatMillions, formatMinute, formatTokens } from '../printing/figures.ts';
import { shortenMiddle } from '../printing/shorten-middle.ts';
import type { Terminal } from '../terminal.ts';
import { type GatheredUsage, gatherUsage, KEYS, MOST_SUMS } from '../usage/gather-usage.ts';

interface UsageFlags {
  readonly days: number;
  readonly by?: UsageKey;
  readonly json?: true;
}

const DAY_MS = 24 * 3_600_000;
const MOST_DAYS = 3_650;

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isSafeInteger(days) && days >= 1 && days <= MOST_DAYS) return days;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_DAYS}.`);
}

export const usageCommand = (terminal: Terminal): Command =>
  new Command('usage')
    .summary('what requests through gateways on a Postgres used')
    .description(
      'what requests used that went through gateways with --store postgres://…, as their providers reported it',
    )
    .argument('<address>', 'postgres://user@host:5432/database; the password there, or in PGPASSWORD')
    .addOption(new Option('--days <days>', 'how far to look back').argParser(parseDays).default(30))
    .addOption(new Option('--by <what>', 'only by this, and all lines of it').choices([...KEYS]))
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  palimpsest usage postgres://palimpsest@db/palimpsest --days 7 --by model')
    .action((address: string, flags: UsageFlags) => run(terminal, address, flags));

async function run(terminal: Terminal, address: string, flags: UsageFlags): Promise<void> {
  const from = Date.now() - flags.days * DAY_MS;
  // Sessions are many, and each of them says little.
  const keys = flags.by === undefined ? KEYS.filter((key) => key !== 'session') : [flags.by];
  const gathered = await gatherUsage(terminal, address, { from, keys });
  if (flags.json) terminal.print(jsonText({ from, total: gathered.total, ...Object.fromEntries(gathered.tables) }, 2));
  else printUsage(terminal, gathered, from, flags);
}

/** How many lines of each are shown unless one is asked for. */
const SHOWN = 7;
const NAME = 25;
const COLUMNS = [
  ['requests', 9, ({ requests }) => formatMillions(requests)],
  ['compacted', 10, ({ compacted }) => formatMillions(compacted)],
  ['input', 8, ({ input }) => formatTokens(input)],
  ['read', 9, ({ cacheRead }) => formatTokens(cacheRead)],
  ['written', 9, ({ cacheWrite }) => formatTokens(cacheWrite)],
  ['output', 8, ({ output }) => formatTokens(output)],
] as const satisfies readonly (readonly [name: string, width: number, show: (sum: UsageSum) => string])[];

function printUsage(
  { print, paint }: Terminal,
  { total, tables }: GatheredUsage,
  from: number,
  { by }: UsageFlags,
): void {
  print(`${paint.bold(formatCount(total.requests, 'request'))} since ${formatMinute(from)}${tellBesides(total)}`);
  if (total.requests === 0) return;
  if (total.tokensBefore > 0)
    print(
      paint.dim(
        `${formatMillions(total.tokensBefore)} tokens came, ${formatMillions(total.tokensAfter)} went on${tellOverhead(total)}`,
      ),
    );
  for (const [key, sums] of tables) {
    const shown = sums.slice(0, by === undefined ? SHOWN : MOST_SUMS);
    print();
    print(paint.dim(padEnd(`by ${key}`, NAME) + COLUMNS.map(([name, width]) => padStart(name, width)).join('')));
    for (const sum of shown)
      print(
        padEnd(shortenMiddle(oneLine(sum.name ?? 'unknown'), NAME - 1), NAME) +
          COLUMNS.map(([, width, show]) => padStart(show(sum), width)).join(''),
      );
    if (shown.length < sums.length)
      print(
        paint.dim(
          by === undefined ? tellMore(key, sums.length - SHOWN) : `… and more than these ${formatNumber(MOST_SUMS)}`,
        ),
      );
  }
}

const tellMore = (key: UsageKey, more: number): string =>
  `… and ${more + SHOWN > MOST_SUMS ? 'many' : formatNumber(more)} more: --by ${key}`;

const tellBesides = ({ compacted, failed }: UsageSum): string =>
  [
    compacted > 0 ? `, ${formatNumber(compacted)} compacted` : '',
    failed > 0 ? `, ${formatNumber(failed)} failed` : '',
  ].join('');

const tellOverhead = ({ overheadMs }: UsageSum): string =>
  overheadMs === undefined ? '' : ` · ${overheadMs.toFixed(1)} ms on the mean before they did`;
