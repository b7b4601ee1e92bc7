import { AIMessage, type BaseMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { estimateText } from '@palimpsest/core';
import { compactMessages as compactModelMessages } from '@palimpsest/sdk/ai-sdk';
import { compactMessages as compactLangChain } from '@palimpsest/sdk/langchain';
import { type ModelMessage, pruneMessages } from 'ai';
import type { Bench, Print } from '../bench.ts';
import { findMedian, formatNumber, formatPercent, formatVerdict } from '../figures.ts';

const WINDOW = 32_000;
const ROUNDS = [50, 150, 500] as const;
const RUNS = 3;
const RULE = 'Never touch the vault, whatever happens.';

/** One round: the model reads a file, is told what is in it, and says so. The fact is a name with its value. */
interface Round {
  readonly id: string;
  readonly path: string;
  readonly found: string;
  readonly said: string;
  readonly fact: string;
}

function makeRounds(count: number): readonly Round[] {
  return Array.from({ length: count }, (_, i) => {
    const fact = `limit_${i} = ${(i * 7_919) % 10_007}`;
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at} of module ${i} calls step_${i}_${at}(input)`);
    lines[i % 12] = fact;
    return { id: `call_${i}`, path: `src/module-${i}.ts`, found: lines.join('\n'), said: `Module ${i} is read.`, fact };
  });
}

const asModelMessages = (rounds: readonly Round[]): ModelMessage[] => [
  { role: 'user', content: `Read every module. ${RULE}` },
  ...rounds.flatMap(({ id, path, found, said }): ModelMessage[] => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: found } }],
    },
    { role: 'assistant', content: said },
    { role: 'user', content: 'And the next one?' },
  ]),
];

const asLangChain = (rounds: readonly Round[]): BaseMessage[] => [
  new HumanMessage(`Read every module. ${RULE}`),
  ...rounds.flatMap(({ id, path, found, said }): BaseMessage[] => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: { path }, type: 'tool_call' }] }),
    new ToolMessage({ content: found, tool_call_id: id, name: 'read' }),
    new AIMessage(said),
    new HumanMessage('And the next one?'),
  ]),
];

/** By what is written in them: the same ruler for all. */
const writeOut = (messages: readonly object[]): string => JSON.stringify(messages);
const countTokens = (messages: readonly object[]): number => estimateText(writeOut(messages));

interface Way {
  readonly name: string;
  readonly make: (rounds: readonly Round[]) => readonly object[];
  readonly shrink: (messages: readonly never[]) => Promise<readonly object[]> | readonly object[];
}

const WAYS: readonly Way[] = [
  {
    name: 'compactMessages, AI SDK',
    make: asModelMessages,
    shrink: (messages: readonly ModelMessage[]) => compactModelMessages(messages, { window: WINDOW }),
  },
  {
    name: 'pruneMessages, AI SDK',
    make: asModelMessages,
    shrink: (messages: readonly ModelMessage[]) =>
      pruneMessages({
        messages: [...messages],
        reasoning: 'before-last-message',
        toolCalls: 'before-last-8-messages',
        emptyMessages: 'remove',
      }),
  },
  {
    name: 'compactMessages, LangChain',
    make: asLangChain,
    shrink: (messages: readonly BaseMessage[]) => compactLangChain(messages, { window: WINDOW }),
  },
  {
    name: 'trimMessages, LangChain',
    make: asLangChain,
    shrink: (messages: readonly BaseMessage[]) =>
      trimMessages([...messages], {
        maxTokens: WINDOW,
        strategy: 'last',
        startOn: 'human',
        tokenCounter: (some) => countTokens(some),
      }),
  },
];

interface Row {
  readonly name: string;
  readonly messages: number;
  readonly before: number;
  readonly after: number;
  readonly fits: boolean;
  readonly rule: boolean;
  readonly facts: number;
  /** Against writing the same messages as JSON and reading them again. */
  readonly ratio: number;
}

const time = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

async function measureRow({ name, make, shrink }: Way, count: number): Promise<Row> {
  const rounds = makeRounds(count);
  const messages = make(rounds) as readonly never[];
  const kept = await shrink(messages);
  const text = writeOut(kept);
  const took: number[] = [];
  const copied: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    took.push(await time(() => shrink(messages)));
    copied.push(await time(() => JSON.parse(writeOut(messages))));
  }
  return {
    name,
    messages: messages.length,
    before: countTokens(messages),
    after: countTokens(kept),
    fits: countTokens(kept) <= WINDOW,
    rule: text.includes(RULE),
    facts: rounds.filter(({ fact }) => text.includes(fact)).length / rounds.length,
    ratio: findMedian(took) / findMedian(copied),
  };
}

const isOurs = ({ name }: Row): boolean => name.startsWith('compactMessages');

export const messagesBench: Bench<readonly Row[]> = {
  name: 'messages',
  async run() {
    // A discarded run first: no row should pay for the compiler.
    for (const way of WAYS) await measureRow(way, 40);
    const rows: Row[] = [];
    for (const count of ROUNDS) for (const way of WAYS) rows.push(await measureRow(way, count));
    return rows;
  },
  print(rows, print) {
    printRows(rows, print);
    const isMet = rows.filter(isOurs).every(({ fits, rule }) => fits && rule);
    print('');
    print(`Ours fit and hold the rule of the first message word for word in every row: ${formatVerdict(isMet)}.`);
    return isMet;
  },
};

function printRows(rows: readonly Row[], print: Print): void {
  print(`A list of messages brought into a window of ${formatNumber(WINDOW)} tokens by one call, without a session.`);
  print('Facts: a name with its value, one in each result, standing in what is left. Time: against writing the same');
  print(`messages as JSON and reading them again, median of ${RUNS}. Node ${process.version}.`);
  print('');
  print('                              messages    tokens     after   fits   rule     facts      time');
  for (const { name, messages, before, after, fits, rule, facts, ratio } of rows)
    print(
      [
        name.padEnd(28),
        formatNumber(messages).padStart(9),
        formatNumber(before).padStart(9),
        formatNumber(after).padStart(9),
        (fits ? 'yes' : 'NO').padStart(6),
        (rule ? 'yes' : 'NO').padStart(6),
        formatPercent(facts).padStart(9),
        `${ratio.toFixed(1)}×`.padStart(9),
      ].join(' '),
    );
}
