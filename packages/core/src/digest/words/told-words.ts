import { timesNotice } from '../../notices.ts';
import type { Cost } from '../choose/item.ts';
import type { Constraint } from '../evidence/evidence.ts';
import type { Typed } from './typed-words.ts';

/** What the user typed, and how the sections tell it. */
export interface Told {
  /** In order, each text once. */
  readonly typed: readonly Typed[];
  /** In the order of need. */
  readonly rules: readonly Constraint[];
  readonly newest: Typed | undefined;
  readonly first: Typed | undefined;
  /** Whether requests and rules have sections of their own; else all stand in order, line by line. */
  readonly hasSections: boolean;
  /** Of a line. */
  readonly cost: Cost;
  /** What the line of a text cost when it was last asked for: a line need not be written to know it. */
  readonly prices: Map<Typed, PricedText>;
  /** The newest text of the same shape, for each. */
  findAlike(): ReadonlyMap<Typed, Typed>;
  /** Whether the model can read on where a text is cut. */
  readonly canRecall: boolean;
}

interface PricedText {
  readonly text: string;
  readonly price: number;
}

/** What is shown of each text; one that is not in it is left out. */
export type Shown = Map<Typed, string>;

export const writeWhole = ({ text, times }: Typed): string => (times === 1 ? text : `${text}${timesNotice(times)}`);

export const writeRule = ({ text }: Constraint): string => `- ${text}`;

export const writeLine = ({ newest, first, hasSections }: Told, one: Typed, text: string): string => {
  if (hasSections && one === newest) return text;
  return hasSections && one === first ? `At first: ${text}` : `- ${text}`;
};

/** The rule that a message is and nothing else: it need not stand among the words too. */
export const findSoleRule = ({ newest, first, hasSections }: Told, one: Typed): Constraint | undefined =>
  one === newest || one === first || !hasSections ? undefined : one.rules.find((rule) => rule.text === one.text);

/** The rules of a text that must be shown besides it. */
export function rulesBeside(told: Told, one: Typed, text: string): readonly Constraint[] {
  const sole = findSoleRule(told, one);
  return sole === undefined ? one.rules.filter((rule) => !text.includes(rule.text)) : [sole];
}

/** What the line of a text costs. */
export function priceLine(told: Told, one: Typed, text: string): number {
  const before = told.prices.get(one);
  if (before?.text === text) return before.price;
  const price = told.cost(writeLine(told, one, text));
  told.prices.set(one, { text, price });
  return price;
}

/** What a text costs as it is shown, with the rules beside it. */
export function weighText(told: Told, one: Typed, text: string): number {
  const own = findSoleRule(told, one) === undefined ? priceLine(told, one, text) : 0;
  return rulesBeside(told, one, text).reduce((sum, rule) => sum + told.cost(writeRule(rule)), own);
}
