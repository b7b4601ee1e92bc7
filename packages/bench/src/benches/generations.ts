import { createSession, partText } from '@palimpsest/core';
import type { Bench } from '../bench.ts';
import { formatPercent, formatVerdict } from '../figures.ts';
import { FACT_SHAPES, type FactShape, makeGenerations, type PlantedFact } from '../planted-facts.ts';

/** Compactions that a session goes through, and its window. */
const GENERATIONS = 50;
const WINDOW = 64_000;
/** The bar: facts in view or in the first passage that a search shows. Rules are all in view. */
const LEAST_KNOWN = 0.9;

interface Told {
  readonly fact: PlantedFact;
  readonly isInView: boolean;
  /** From 0; none where no passage among the first ten holds it. */
  readonly rank: number | undefined;
}

export interface GenerationsSeen {
  readonly generations: number;
  readonly compactions: number;
  readonly told: readonly Told[];
  readonly rules: number;
  readonly rulesInView: number;
}

/** Facts of ten shapes, each said once, through compactions: which of them does the last view hold, and which a search? */
export async function liveGenerations(generations: number, window: number): Promise<GenerationsSeen> {
  const session = createSession({ window });
  const facts: PlantedFact[] = [];
  const rules: string[] = [];
  let compactions = 0;
  for (const generation of makeGenerations(7)) {
    for (const message of generation.messages) {
      if (message.role === 'assistant') await session.view();
      session.append(message);
    }
    if ((await session.compact()) !== undefined) compactions++;
    facts.push(...generation.facts);
    if (generation.rule !== undefined) rules.push(generation.rule);
    if (compactions >= generations) break;
  }
  const { messages } = await session.view();
  const shown = messages.flatMap(({ parts }) => parts.map(partText));
  const isInView = (text: string): boolean => shown.some((one) => one.includes(text));
  const told = facts.map((fact): Told => {
    const rank = session.recall.search(fact.query, 10).findIndex(({ text }) => text.includes(fact.text));
    return { fact, isInView: isInView(fact.text), rank: rank < 0 ? undefined : rank };
  });
  return { generations, compactions, told, rules: rules.length, rulesInView: rules.filter(isInView).length };
}

/** Whether a fact is known: in view, or in the first passage that is shown for it. */
export const isKnown = ({ isInView, rank }: Told): boolean => isInView || rank === 0;

export const generationsBench: Bench<GenerationsSeen> = {
  name: 'generations',
  run: () => liveGenerations(GENERATIONS, WINDOW),
  print({ compactions, told, rules, rulesInView }, print) {
    print(`${compactions} compactions in a window of ${WINDOW.toLocaleString('en-US')} tokens, without a model;`);
    print(`${told.length} facts, each said once; ${rulesInView} of ${rules} rules in the last view, verbatim.`);
    print('');
    print('| shape | facts | in view | R@1 | R@5 | in view or R@1 |');
    print('|---|---|---|---|---|---|');
    const row = (name: string, all: readonly Told[]): void => {
      const share = (test: (one: Told) => boolean): string => formatPercent(all.filter(test).length / all.length);
      const isAmong = (most: number) => (one: Told) => one.rank !== undefined && one.rank < most;
      const cells = [share((one) => one.isInView), share(isAmong(1)), share(isAmong(5)), share(isKnown)];
      print(`| ${name} | ${all.length} | ${cells.join(' | ')} |`);
    };
    for (const shape of FACT_SHAPES)
      row(
        shape,
        told.filter(({ fact }) => fact.shape === (shape satisfies FactShape)),
      );
    row('all', told);
    const known = told.filter(isKnown).length / told.length;
    const isMet = known >= LEAST_KNOWN && rulesInView === rules;
    print('');
    print(
      `In view or R@1: ${formatPercent(known)}; the bar is ${formatPercent(LEAST_KNOWN)}, and all rules: ${formatVerdict(isMet)}.`,
    );
    return isMet;
  },
};
