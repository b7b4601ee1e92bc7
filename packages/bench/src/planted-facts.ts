import { assistant, call, type NewMessage, result, results, user } from '@palimpsest/core';
import { newDice } from './dice.ts';
import { writeProse } from './traffic.ts';

/** Something that was said once, early, among much else of its kind; and what somebody would ask who has forgotten it. */
export interface PlantedFact {
  readonly shape: FactShape;
  /** What has to be found again, to the letter. */
  readonly text: string;
  /** Words that one would remember: never the answer. */
  readonly query: string;
}

export const FACT_SHAPES = [
  'sentence',
  'yaml',
  'error',
  'signature',
  'csv',
  'sql',
  'decision',
  'correction',
  'name and number',
  'chinese',
] as const;
export type FactShape = (typeof FACT_SHAPES)[number];

const FIRST =
  'amber birch cobalt delta ember fjord garnet harbor indigo juniper kestrel larch marble nickel onyx'.split(' ');
const SECOND = 'ledger billing shipment catalog invoice payroll session voucher refund customs warehouse fleet'.split(
  ' ',
);
const CHINESE = '结算 库存 发票 退款 物流 订单 会员 报表 权限 缓存 支付 审计'.split(' ');
const TIMES = '周一上午九点 周二下午三点 周三晚上八点 周四中午十二点 周五凌晨一点'.split(' ');

/** The names that a generation is about: each once in all of them. */
const nameSubject = (number: number): readonly [first: string, second: string] => [
  `${FIRST[number % FIRST.length]}${number < FIRST.length * SECOND.length ? '' : number}`,
  SECOND[Math.floor(number / FIRST.length) % SECOND.length] ?? '',
];

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** What a fact is about; `value` is the number that nobody remembers. */
interface Subject {
  readonly number: number;
  readonly first: string;
  readonly second: string;
  readonly value: number;
}

const newSubject = (number: number, value: number): Subject => {
  const [first, second] = nameSubject(number);
  return { number, first, second, value };
};

/** A shape: the fact, what is asked for it, and where it stands: in somebody's words, in a command's output, or in a file among its like. */
interface Shape {
  readonly write: (subject: Subject) => string;
  readonly ask: (subject: Subject) => string;
  readonly place:
    | { readonly by: 'user'; readonly behind: string }
    | { readonly by: 'assistant'; readonly behind: string }
    | { readonly by: 'shell'; readonly command: string }
    | { readonly by: 'file'; readonly path: (subject: Subject) => string };
}

const nameTable = ({ first, second }: Subject): string => `${first}_${second}`;
const nameFunction = ({ first, second }: Subject): string => `${first}${capital(second)}`;
const nameConstant = ({ first, second }: Subject): string => `${first}_${second}_ID`.toUpperCase();
const nameChinese = ({ number }: Subject): string => CHINESE[number % CHINESE.length] ?? '';

const SHAPES: Readonly<Record<FactShape, Shape>> = {
  sentence: {
    write: ({ first, second, value }) => `The ${first} ${second} job takes ${value} rows at a time.`,
    ask: ({ first, second }) => `how many rows does the ${first} ${second} job take`,
    place: { by: 'assistant', behind: 'I looked at how it runs.' },
  },
  decision: {
    write: ({ first, second, value }) =>
      `We keep ${first} ${second} on shard ${value}, because the others are read-only.`,
    ask: ({ first, second }) => `which shard did we decide on for ${first} ${second} and why`,
    place: { by: 'assistant', behind: 'So this is decided.' },
  },
  correction: {
    write: ({ first, second, value }) => `No, the ${first} ${second} port is ${value}, not 8080.`,
    ask: ({ first, second }) => `the user corrected the ${first} ${second} port`,
    place: { by: 'user', behind: 'Wait.' },
  },
  chinese: {
    write: (about) =>
      `${about.first} 的${nameChinese(about)}窗口是${TIMES[about.number % TIMES.length]}，编号${about.value}。`,
    ask: (about) => `${about.first} 的${nameChinese(about)}窗口是什么时候`,
    place: { by: 'user', behind: '记一下：' },
  },
  yaml: {
    write: (about) => `${nameTable(about)}_retry_limit: ${about.value}`,
    ask: ({ first, second }) => `retry limit of ${first} ${second} in the yaml config`,
    place: { by: 'file', path: ({ first }) => `config/${first}.yaml` },
  },
  error: {
    write: ({ first, second, value }) =>
      `src/${first}/${second}.ts:${value % 900}:7 - error TS${value}: '${second}' is not assignable`,
    ask: ({ first, second }) => `type error in ${first}/${second}.ts not assignable`,
    place: { by: 'shell', command: 'npx tsc --noEmit' },
  },
  signature: {
    write: (about) =>
      `export function ${nameFunction(about)}(rows: Row[], limit = ${about.value}): Promise<${capital(about.second)}Page>`,
    ask: (about) => `signature of ${nameFunction(about)}`,
    place: { by: 'file', path: ({ first }) => `src/${first}.ts` },
  },
  csv: {
    write: ({ first, second, value }) => `${first},${second},${value},EUR,open`,
    ask: ({ first, second }) => `csv row of ${first} ${second}`,
    place: { by: 'file', path: ({ second }) => `data/${second}.csv` },
  },
  sql: {
    write: (about) =>
      `ALTER TABLE ${nameTable(about)} ADD CONSTRAINT ${nameTable(about)}_cap CHECK (amount < ${about.value});`,
    ask: (about) => `check constraint of table ${nameTable(about)}`,
    place: { by: 'file', path: ({ first }) => `db/${first}.sql` },
  },
  'name and number': {
    write: (about) => `${nameConstant(about)} = ${about.value}`,
    ask: nameConstant,
    place: { by: 'file', path: ({ first }) => `src/ids/${first}.py` },
  },
};

const FILE_LINES = 30;

/** A fact, and the messages in which it is said. */
interface Planting {
  readonly fact: PlantedFact;
  readonly messages: (id: string) => readonly NewMessage[];
}

/** One fact of a shape, about the subject of a number. */
export function plantFact(shape: FactShape, number: number): Planting {
  const { write, ask, place } = SHAPES[shape];
  const about = newSubject(number, 10_000 + ((number * 7_919) % 89_999));
  const text = write(about);
  const read = (id: string, tool: string, input: Record<string, string>, output: string): readonly NewMessage[] => [
    assistant([call(id, tool, input)]),
    results([result(id, output)]),
  ];
  const messages = (id: string): readonly NewMessage[] => {
    if (place.by === 'user') return [user(`${place.behind} ${text}`)];
    if (place.by === 'assistant') return [assistant(`${place.behind} ${text}`)];
    if (place.by === 'shell') return read(id, 'bash', { command: place.command }, `${text}\n\nFound 1 error.`);
    const others = Array.from({ length: FILE_LINES }, (_, i) =>
      write(newSubject(1_000 + number * FILE_LINES + i, 10_000 + ((number * 31 + i * 977) % 89_999))),
    );
    const lines = others.with(number % FILE_LINES, text);
    return read(id, 'read_file', { path: place.path(about) }, lines.join('\n'));
  };
  return { fact: { shape, text, query: ask(about) }, messages };
}

/** What one generation adds: a request, now and then a rule, facts, and work that has nothing to do with them. */
export interface Generation {
  readonly rule?: string;
  readonly facts: readonly PlantedFact[];
  readonly messages: readonly NewMessage[];
}

const RULE_EVERY = 5;
const WORK_ROUNDS = 6;
const WORK_CHARS = 6_000;

/** Generations without end: two facts each, so that every shape comes again in five of them. */
export function* makeGenerations(seed: number): Generator<Generation> {
  const roll = newDice(seed);
  for (let number = 0; ; number++) {
    const rule =
      number % RULE_EVERY === 0 ? `Never deploy ${nameSubject(number).join(' ')} without asking me.` : undefined;
    const planted = [2 * number, 2 * number + 1].map((one) =>
      plantFact(FACT_SHAPES[one % FACT_SHAPES.length] ?? 'sentence', one),
    );
    const work = Array.from({ length: WORK_ROUNDS }, (_, i) => {
      const id = `work-${number}-${i}`;
      return [
        assistant([call(id, 'bash', { command: `npm test -- module-${number}-${i}` })]),
        results([result(id, writeProse(roll, WORK_CHARS))]),
      ];
    }).flat();
    yield {
      ...(rule === undefined ? {} : { rule }),
      facts: planted.map(({ fact }) => fact),
      messages: [
        user(`Go on with part ${number}.${rule === undefined ? '' : ` ${rule}`}`),
        ...planted.flatMap(({ messages }, i) => messages(`fact-${number}-${i}`)),
        ...work,
        assistant(`Part ${number} is done.`),
      ],
    };
  }
}
