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

/** Said by the user, by the model, or read by a tool: with lines of the same kind around it where a file has them. */
interface Planting {
  readonly fact: PlantedFact;
  readonly messages: (id: string) => readonly NewMessage[];
}

const FILE_LINES = 30;

/** The line among others of its kind, in a file that the agent reads. */
const readAmong = (path: string, line: string, other: (i: number) => string, at: number): Planting['messages'] => {
  const lines = Array.from({ length: FILE_LINES }, (_, i) => (i === at % FILE_LINES ? line : other(i)));
  return (id) => [assistant([call(id, 'read_file', { path })]), results([result(id, lines.join('\n'))])];
};

/** One fact of a shape about a subject; `value` is the number that nobody remembers. */
export function plantFact(shape: FactShape, number: number): Planting {
  const [first, second] = nameSubject(number);
  const value = 10_000 + ((number * 7_919) % 89_999);
  const other = (i: number): readonly [string, string, number] => [
    ...nameSubject(1_000 + number * FILE_LINES + i),
    10_000 + ((number * 31 + i * 977) % 89_999),
  ];
  const fact = (text: string, query: string): PlantedFact => ({ shape, text, query });
  const plantWords = (
    make: (content: string) => NewMessage,
    before: string,
    text: string,
    query: string,
  ): Planting => ({
    fact: fact(text, query),
    messages: () => [make(`${before} ${text}`)],
  });
  switch (shape) {
    case 'sentence': {
      const text = `The ${first} ${second} job takes ${value} rows at a time.`;
      return plantWords(
        assistant,
        'I looked at how it runs.',
        text,
        `how many rows does the ${first} ${second} job take`,
      );
    }
    case 'decision': {
      const text = `We keep ${first} ${second} on shard ${value}, because the others are read-only.`;
      return plantWords(
        assistant,
        'So this is decided.',
        text,
        `which shard did we decide on for ${first} ${second} and why`,
      );
    }
    case 'correction': {
      const text = `No, the ${first} ${second} port is ${value}, not 8080.`;
      return plantWords(user, 'Wait.', text, `the user corrected the ${first} ${second} port`);
    }
    case 'chinese': {
      const [what, when] = [CHINESE[number % CHINESE.length], TIMES[number % TIMES.length]];
      const text = `${first} 的${what}窗口是${when}，编号${value}。`;
      return plantWords(user, '记一下：', text, `${first} 的${what}窗口是什么时候`);
    }
    case 'yaml': {
      const line = `${first}_${second}_retry_limit: ${value}`;
      const messages = readAmong(`config/${first}.yaml`, line, (i) => yamlLine(...other(i)), number);
      return { fact: fact(line, `retry limit of ${first} ${second} in the yaml config`), messages };
    }
    case 'error': {
      const line = `src/${first}/${second}.ts:${value % 900}:7 - error TS${value}: '${second}' is not assignable`;
      return {
        fact: fact(line, `type error in ${first}/${second}.ts not assignable`),
        messages: (id) => [
          assistant([call(id, 'bash', { command: 'npx tsc --noEmit' })]),
          results([result(id, `${line}\n\nFound 1 error.`, true)]),
        ],
      };
    }
    case 'signature': {
      const line = `export function ${first}${capital(second)}(rows: Row[], limit = ${value}): Promise<${capital(second)}Page>`;
      const messages = readAmong(`src/${first}.ts`, line, (i) => functionLine(...other(i)), number);
      return { fact: fact(line, `signature of ${first}${capital(second)}`), messages };
    }
    case 'csv': {
      const line = `${first},${second},${value},EUR,open`;
      const messages = readAmong(`data/${second}.csv`, line, (i) => csvLine(...other(i)), number);
      return { fact: fact(line, `csv row of ${first} ${second}`), messages };
    }
    case 'sql': {
      const line = `ALTER TABLE ${first}_${second} ADD CONSTRAINT ${first}_${second}_cap CHECK (amount < ${value});`;
      const messages = readAmong(`db/${first}.sql`, line, (i) => sqlLine(...other(i)), number);
      return { fact: fact(line, `check constraint of table ${first}_${second}`), messages };
    }
    case 'name and number': {
      const line = `${first.toUpperCase()}_${second.toUpperCase()}_ID = ${value}`;
      const messages = readAmong(`src/ids/${first}.py`, line, (i) => constantLine(...other(i)), number);
      return { fact: fact(line, `${first.toUpperCase()}_${second.toUpperCase()}_ID`), messages };
    }
  }
}

const yamlLine = (first: string, second: string, value: number): string => `${first}_${second}_retry_limit: ${value}`;
const functionLine = (first: string, second: string, value: number): string =>
  `export function ${first}${capital(second)}(rows: Row[], limit = ${value}): Promise<${capital(second)}Page>`;
const csvLine = (first: string, second: string, value: number): string => `${first},${second},${value},EUR,open`;
const sqlLine = (first: string, second: string, value: number): string =>
  `ALTER TABLE ${first}_${second} ADD CONSTRAINT ${first}_${second}_cap CHECK (amount < ${value});`;
const constantLine = (first: string, second: string, value: number): string =>
  `${first.toUpperCase()}_${second.toUpperCase()}_ID = ${value}`;

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
