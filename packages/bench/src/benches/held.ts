import { createKeeper } from '@palimpsest/sdk/keeper';
import type { Bench } from '../bench.ts';
import { formatVerdict } from '../figures.ts';
import { newTalk } from '../gateway/send-load.ts';

/** Of a chat that has just begun: what a conversation takes besides its messages counts most. */
const SMALL_SIZES = [700, 2_800, 8_000, 20_000] as const;
const SIZES = [100_000, 300_000, 1_000_000, 3_000_000] as const;
/** Of all text that one row has. */
const ROW_CHARS = 9_000_000;
/** The reckoned memory of conversations is no further from the heap that they take. */
const LEAST = 0.6;
const MOST = 1.8;
const LEAST_SMALL = 0.67;
const MOST_SMALL = 1.43;
const MOST_CONVERSATIONS = { small: 2_000, large: 30 };

type Kind = 'code' | 'prose' | 'chat' | 'wide';

interface Row {
  readonly kind: Kind;
  readonly size: number;
  readonly isCompacting: boolean;
  readonly conversations: number;
  /** Of one conversation, in bytes: as the keeper reckons it, and as the heap grew. */
  readonly reckoned: number;
  readonly held: number;
}

const WORDS =
  'the server answers when a client asks for what it stored before and nobody else may read that but who wrote it'.split(
    ' ',
  );

const writeProse = (n: number, chars: number): string =>
  Array.from({ length: Math.round(chars / 5) }, (_, i) => WORDS[(i * 7 + n * 13 + (i ** 2 % 11)) % WORDS.length]).join(
    ' ',
  );

const writeWide = (n: number, chars: number): string =>
  String.fromCharCode(...Array.from({ length: chars }, (_, i) => 0x4e00 + ((i * 31 + n * 97) % 3_000)));

/** A conversation that has grown by `rounds` since it was of that size. */
function makeBody(kind: Kind, name: string, size: number, rounds: number): object {
  if (kind === 'code') {
    const talk = newTalk(name, size);
    for (let n = 0; n < rounds; n++) talk();
    return JSON.parse(talk().toString()) as object;
  }
  const chars = kind === 'chat' || size < SIZES[0] ? 300 : 4_000;
  const write = kind === 'wide' ? writeWide : writeProse;
  const count = 2 * Math.round(size / chars / 2) + 2 * rounds;
  const said = Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? 'assistant' : 'user',
    content: write(n, chars),
  }));
  const messages = [{ role: 'user', content: `${name}: do the work.` }, ...said];
  // As it comes off a wire: no two requests share a string.
  return JSON.parse(JSON.stringify({ model: 'm', max_tokens: 4_000, messages })) as object;
}

function readHeap(): number {
  for (let n = 0; n < 4; n++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measureRow(kind: Kind, size: number, isCompacting: boolean): Promise<Row> {
  const most = size < SIZES[0] ? MOST_CONVERSATIONS.small : MOST_CONVERSATIONS.large;
  const conversations = Math.max(3, Math.min(most, Math.round(ROW_CHARS / size)));
  const window = Math.round(size * (isCompacting ? 0.125 : 2)) + 8_000;
  const before = readHeap();
  const keeper = createKeeper({
    window: () => window,
    live: { bytes: Number.POSITIVE_INFINITY, conversations: conversations + 1 },
  });
  for (const rounds of [0, 1])
    for (let n = 0; n < conversations; n++) {
      const name = `talk-${n}`;
      await keeper.keep({ wire: 'anthropic', body: makeBody(kind, name, size, rounds), id: name });
    }
  await new Promise((resolve) => setImmediate(resolve));
  const held = (readHeap() - before) / conversations;
  const reckoned = keeper.status().bytes / conversations;
  await keeper.close();
  return { kind, size, isCompacting, conversations, reckoned, held };
}

/** What conversations at hand take in memory, against what the limit of live conversations counts. */
export const heldBench: Bench<readonly Row[]> = {
  name: 'held',
  async run(_, note) {
    if (globalThis.gc === undefined) throw new Error('memory cannot be measured: start it with npm run bench -- held');
    await measureRow('prose', SIZES[0], true);
    const rows: Row[] = [];
    for (const kind of ['chat', 'wide'] as const)
      for (const size of SMALL_SIZES) {
        rows.push(await measureRow(kind, size, false));
        note(`${kind} of ${size}`);
      }
    for (const kind of ['code', 'prose', 'chat', 'wide'] as const)
      for (const size of SIZES)
        for (const isCompacting of [false, true]) {
          rows.push(await measureRow(kind, size, isCompacting));
          note(`${kind} of ${size}${isCompacting ? ', compacted' : ''}`);
        }
    return rows;
  },
  print(rows, print) {
    const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(3)} MB`;
    print('| text | characters | compacted | conversations | reckoned | held | reckoned to held |');
    print('|---|---|---|---|---|---|---|');
    for (const { kind, size, isCompacting, conversations, reckoned, held } of rows)
      print(
        `| ${kind} | ${size.toLocaleString('en')} | ${isCompacting ? 'yes' : 'no'} | ${conversations} | ${inMb(reckoned)} | ${inMb(held)} | ${(reckoned / held).toFixed(2)} |`,
      );
    const judge = (what: string, some: readonly Row[], lowest: number, highest: number): boolean => {
      const shares = some.map(({ reckoned, held }) => reckoned / held);
      const [least, most] = [Math.min(...shares), Math.max(...shares)];
      const isMet = least >= lowest && most <= highest;
      print(
        `${what}: reckoned ${least.toFixed(2)} to ${most.toFixed(2)} of what is held, at least ${lowest} and at most ${highest}: ${formatVerdict(isMet)}`,
      );
      return isMet;
    };
    const isSmall = ({ size }: Row): boolean => size < SIZES[0];
    const met = [
      judge('small', rows.filter(isSmall), LEAST_SMALL, MOST_SMALL),
      judge(
        'large',
        rows.filter((row) => !isSmall(row)),
        LEAST,
        MOST,
      ),
    ];
    return met.every((one) => one);
  },
};
