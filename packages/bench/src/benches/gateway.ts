import { startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import type { Bench, Print } from '../bench.ts';
import { findQuantile, formatNumber, formatPercent, formatVerdict } from '../figures.ts';
import { type Child, startClients, startGatewayProcess, startUpstream, type Took } from '../gateway/child.ts';
import { newTalk } from '../gateway/send-load.ts';

const SIZES = [100_000, 1_000_000, 3_500_000] as const;
const AT_ONCE = [1, 16, 64] as const;
/**
 * `pipe`: the same stack with nothing kept. `idle`: a body far from its window. `kept`: about 40 % of the window, so it is kept and
 * nothing has to go. `compacting`: a window far smaller than the body. `summarized`: the same, and the model writes summaries.
 */
const WAYS = ['direct', 'pipe', 'idle', 'kept', 'compacting', 'summarized'] as const;
type Way = (typeof WAYS)[number];

const STREAMS = 10_000;
const MOST_BLOCK_MS = 50;
const LEAST_OF_PIPE = 0.8;
/** Of the memory after the first tenth of the streams. */
const MOST_GROWTH = 1.25;

interface Cell {
  readonly way: Way;
  readonly size: number;
  readonly atOnce: number;
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
  readonly perCore: number;
  /** Of a way through a gateway. */
  readonly blocks?: Pick<Took, 'longest' | 'mostOwn'>;
}

interface Seen {
  readonly cells: readonly Cell[];
  readonly memory: { readonly streams: number; readonly early: number; readonly late: number };
  readonly cached: { readonly direct: number; readonly through: number };
}

const optionsOf = (way: Way, upstream: string, size: number, workers: number): object => ({
  upstreams: { '*': upstream },
  workers,
  patienceMs: 60_000,
  ...(way === 'pipe' ? { off: true } : {}),
  ...(way === 'summarized' ? { summaries: 'upstream' } : {}),
  window:
    way === 'compacting' || way === 'summarized'
      ? Math.round(size / 8)
      : way === 'kept'
        ? Math.round(size * 0.6)
        : 8_000_000,
});

/** So that a cell takes a few seconds: where nothing is kept, requests take a tenth of the time and less. */
const countFor = (way: Way, size: number, atOnce: number): number => {
  const few = Math.max(Math.ceil(atOnce * 1.5), Math.round(1e7 / size) * 3);
  return PASSING.has(way) ? Math.min(few * 64, MOST_PASSING) : few;
};

const MOST_PASSING = 4_000;

const PASSING: ReadonlySet<Way> = new Set<Way>(['direct', 'pipe', 'idle']);

async function runCell(way: Way, size: number, atOnce: number, upstream: Child, workers: number): Promise<Cell> {
  const clients = await startClients({ name: 'talk', atOnce, bytes: size, still: PASSING.has(way) });
  const gateway = way === 'direct' ? undefined : await startGatewayProcess(optionsOf(way, upstream.url, size, workers));
  try {
    const url = gateway?.url ?? upstream.url;
    await clients.ask({ url, count: PASSING.has(way) ? atOnce * 4 : atOnce });
    const before = await gateway?.ask('tell');
    const count = countFor(way, size, atOnce);
    const { firstByteMs, seconds } = await clients.ask({ url, count });
    const after = await gateway?.ask('tell');
    const cpuMs = (after?.cpuMs ?? Number.NaN) - (before?.cpuMs ?? 0);
    return {
      way,
      size,
      atOnce,
      p50: findQuantile(firstByteMs, 0.5),
      p95: findQuantile(firstByteMs, 0.95),
      perSecond: count / seconds,
      perCore: (count * 1_000) / cpuMs,
      ...(before === undefined || after === undefined ? {} : { blocks: pickWorse(before, after) }),
    };
  } finally {
    gateway?.end();
    clients.end();
  }
}

const pickWorse = (a: Took, b: Took): Required<Cell>['blocks'] => ({
  longest: a.longest.ms > b.longest.ms ? a.longest : b.longest,
  mostOwn: a.mostOwn.ownMs > b.mostOwn.ownMs ? a.mostOwn : b.mostOwn,
});

/** Many short streams through one gateway: what it holds must not grow with them. */
async function runStreams(streams: number, upstream: Child, workers: number): Promise<Seen['memory']> {
  const clients = await startClients({ name: 'short', atOnce: 16, bytes: 4_000, fresh: true });
  const gateway = await startGatewayProcess(optionsOf('idle', upstream.url, 0, workers));
  try {
    const { url } = gateway;
    await clients.ask({ url, count: streams / 10 });
    const early = (await gateway.ask('tell')).rss;
    await clients.ask({ url, count: (streams * 9) / 10 });
    return { streams, early, late: (await gateway.ask('tell')).rss };
  } finally {
    gateway.end();
    clients.end();
  }
}

/** The same conversation with cache marks, straight to the simulator and through the gateway. */
async function compareCaches(workers: number): Promise<Seen['cached']> {
  const send = async (isThrough: boolean): Promise<number> => {
    const sim = await startSim();
    const gateway = isThrough ? await startGateway({ upstreams: { '*': sim.url }, workers }) : undefined;
    const talk = newTalk('cached', 60_000);
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
    for (let n = 0; n < 12; n++) {
      const body = { ...(JSON.parse(talk().toString()) as object), model: 'claude-sonnet-5', stream: false };
      const system = [{ type: 'text', text: 'Work.' }];
      const marked = { ...body, system, cache_control: { type: 'ephemeral' } };
      const url = `${gateway?.url ?? sim.url}/v1/messages`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(marked) });
      if (!answer.ok) throw new Error(await answer.text());
    }
    const { cacheRead } = sim.bill();
    await gateway?.close({ graceMs: 0 });
    await sim.close();
    return cacheRead;
  };
  return { direct: await send(false), through: await send(true) };
}

/** `--bytes 1000000`, `--ways kept,compacting`: only those; `--workers 2`, one without it. */
const pickFrom = <Value extends number | string>(
  all: readonly Value[],
  flag: string,
  args: readonly string[],
): readonly Value[] => {
  const at = args.indexOf(flag);
  return at < 0 ? all : all.filter((one) => args[at + 1]?.split(',').includes(String(one)));
};

export const gatewayBench: Bench<Seen> = {
  name: 'gateway',
  takes: ['streams', 'bytes', 'at-once', 'ways', 'workers'],
  async run(args: readonly string[], note: Print) {
    const streams = Number(args[args.indexOf('--streams') + 1] ?? STREAMS) || STREAMS;
    const workers = args.includes('--workers') ? Number(args[args.indexOf('--workers') + 1]) : 1;
    const upstream = await startUpstream();
    try {
      const cells: Cell[] = [];
      const [sizes, lanes] = [pickFrom(SIZES, '--bytes', args), pickFrom(AT_ONCE, '--at-once', args)];
      for (const size of sizes)
        for (const atOnce of lanes)
          for (const way of pickFrom(WAYS, '--ways', args)) {
            const cell = await runCell(way, size, atOnce, upstream, workers);
            note(`${way} ${formatNumber(size)} × ${atOnce}: ${cell.p50.toFixed(1)} ms`);
            cells.push(cell);
          }
      return { cells, memory: await runStreams(streams, upstream, workers), cached: await compareCaches(workers) };
    } finally {
      upstream.end();
    }
  },
  print({ cells, memory, cached }, print) {
    print(
      '| body | at a time | way | first byte p50 / p95 | added p50 / p95 | requests/s | per core | longest block | of it own, waiting, collector | longest own |',
    );
    print('|---|---|---|---|---|---|---|---|---|---|');
    for (const cell of cells) print(rowOf(cell, cells));
    const blocks = cells.flatMap((cell) => cell.blocks ?? []);
    const worst = Math.max(...blocks.map(({ longest }) => longest.ms));
    const worstOwn = Math.max(...blocks.map(({ mostOwn }) => mostOwn.ownMs));
    const at = (way: Way): Cell[] => cells.filter((cell) => cell.way === way && cell.size === 1_000_000);
    const shares = at('idle').map((cell, i) => cell.perSecond / (at('pipe')[i]?.perSecond ?? Number.NaN));
    const growth = memory.late / memory.early;
    const verdicts = [
      [`longest block ${worst.toFixed(0)} ms, at most ${MOST_BLOCK_MS}`, worst <= MOST_BLOCK_MS],
      [
        `in the thread's own processor time ${worstOwn.toFixed(0)} ms, at most ${MOST_BLOCK_MS}`,
        worstOwn <= MOST_BLOCK_MS,
      ],
      [
        `idle of the bare pipe at 1 MB: ${shares.map(formatPercent).join(', ')} of its requests/s, at least ${formatPercent(LEAST_OF_PIPE)}`,
        shares.every((share) => share >= LEAST_OF_PIPE),
      ],
      [
        `memory after ${formatNumber(memory.streams)} streams: ${formatNumber(memory.late / 2 ** 20)} MB, ${growth.toFixed(2)} of that after a tenth, at most ${MOST_GROWTH}`,
        growth <= MOST_GROWTH,
      ],
      [
        `cache-read tokens direct ${formatNumber(cached.direct)}, through ${formatNumber(cached.through)}`,
        cached.direct === cached.through && cached.direct > 0,
      ],
    ] as const;
    print('');
    for (const [text, isMet] of verdicts) print(`${text}: ${formatVerdict(isMet)}`);
    return verdicts.every(([, isMet]) => isMet);
  },
};

function rowOf({ way, size, atOnce, p50, p95, perSecond, perCore, blocks }: Cell, all: readonly Cell[]): string {
  const direct = all.find((cell) => cell.way === 'direct' && cell.size === size && cell.atOnce === atOnce);
  const pair = (a: number, b: number): string => `${a.toFixed(1)} / ${b.toFixed(1)} ms`;
  const added = direct === undefined || way === 'direct' ? '' : pair(p50 - direct.p50, p95 - direct.p95);
  const ownOf = (value: number): string => (Number.isNaN(value) ? '' : formatNumber(value));
  return `| ${(size / 1e6).toFixed(1)} MB | ${atOnce} | ${way} | ${pair(p50, p95)} | ${added} | ${formatNumber(perSecond)} | ${ownOf(perCore)} | ${describeBlocks(blocks)} |`;
}

function describeBlocks(blocks: Cell['blocks']): string {
  if (blocks === undefined) return ' |  | ';
  const { longest, mostOwn } = blocks;
  const tell = (value: number): string => (Number.isNaN(value) ? '?' : value.toFixed(0));
  return `${tell(longest.ms)} ms | ${tell(longest.ownMs)}, ${tell(longest.waitMs)}, ${tell(longest.gcMs)} ms | ${tell(mostOwn.ownMs)} ms`;
}
