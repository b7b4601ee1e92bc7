import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import type { Message } from '../message/message.ts';
import { estimateText } from '../size/estimate-message.ts';
import { runSteps, type Steps } from '../steps.ts';
import type { SectionName } from './choose/allot-budget.ts';
import { cutToCost } from './choose/cut-to-cost.ts';
import type { Cost } from './choose/item.ts';
import type { Evidence } from './evidence/evidence.ts';
import { gatherEvidence } from './read/gather-evidence.ts';
import { type Composition, joinSections, newComposer, type WrittenSection } from './write/compose-sections.ts';

/** How long the digest may be: state `maxTokens`, `maxChars` or both. */
export interface DigestOptions {
  /** One of the two is needed; with both, both hold. The least is 16 tokens or 64 characters. */
  readonly maxTokens?: number;
  readonly maxChars?: number;
  /** The embedded estimate by default. */
  readonly countText?: (text: string) => number;
  /** What an earlier digest read off the messages before these: the new one covers both. */
  readonly previous?: Evidence;
  /**
   * What the user typed stands word for word before all else, as far as so many tokens of the budget go; what is longer is
   * shortened, pastes first. For a view in which nothing else carries it. By default 15 % of a small budget and 30 % of one of 3,000 tokens, all of a
   * request that is the only one, and all where that is enough for everything.
   */
  readonly wordsTokens?: number;
}

/** One section of the text, for those who show or weigh them one by one. */
export interface DigestSection {
  readonly name: SectionName;
  readonly text: string;
  /** In tokens, by the counter passed in. */
  readonly tokens: number;
}

/** A digest, and all that was read to write it. */
export interface Digest {
  /** Never over the budget; empty where there is nothing to tell. */
  readonly text: string;
  readonly tokens: number;
  /** In order; sections with nothing to tell are left out. */
  readonly sections: readonly DigestSection[];
  /** All that the user typed stands in the text word for word. */
  readonly holdsAllWords: boolean;
  /** All that was read, also what the text has no room for; the `previous` of the next digest. */
  readonly evidence: Evidence;
}

/** The least budget a digest makes sense in. */
const leastTokens = 16;
const charsPerToken = 4;
const leastChars = leastTokens * charsPerToken;

const DIGEST_OPTIONS: OptionRules<DigestOptions> = {
  maxTokens: allow.positive,
  maxChars: allow.positive,
  countText: allow.function,
  previous: allow.object,
  wordsTokens: allow.amount,
};

/**
 * What a span of messages comes to, without a model: the user's words and rules, the state of the work, and an index of
 * the identifiers most likely needed again, within the budget. Same input, same text.
 */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  checkOptions('digest()', options, DIGEST_OPTIONS);
  return writeDigest(gatherEvidence(messages, options.previous), options);
}

/** What a session says besides. */
export interface WriteOptions extends DigestOptions {
  /** The budget grows as far as the user's words need more than it, up to so many tokens. */
  readonly wordsUpTo?: number;
  /** How many messages the transcript has before what was read; places are counted from its start. */
  readonly messagesBefore?: number;
  /** What stands beside the digest: names in it need not be told again. */
  readonly beside?: string;
  /** Whether its reader can ask for what is cut; true by default. */
  readonly canRecall?: boolean;
}

/** The digest of what was read before. */
export const writeDigest = (evidence: Evidence, options: WriteOptions): Digest =>
  runSteps(writeInSteps(evidence, options));

/** The same, try by try. */
export function* writeInSteps(evidence: Evidence, options: WriteOptions): Steps<Digest> {
  const { countText = estimateText, wordsTokens, wordsUpTo = 0, messagesBefore = 0 } = options;
  const { beside = '', canRecall = true } = options;
  const { cost, budget: stated, unit } = readBudget(options, countText);
  const composer = yield* newComposer(evidence, {
    cost,
    unit,
    wordsMost: wordsTokens === undefined ? undefined : wordsTokens * unit,
    messagesBefore,
    beside,
    canRecall,
  });
  const budget = Math.max(stated, Math.min(Math.ceil(composer.wordsDemand * WHOLE_TO_PARTS), wordsUpTo * unit));
  let best: Composition | undefined;
  // What the parts cost by themselves adds up to a little more or less than the whole: the room is set right once it is known.
  for (let attempt = 0, room = budget; attempt < 6 && room >= 1; attempt++) {
    const made = yield* composer.compose(room);
    const spent = cost(joinSections(made.sections));
    const isWithin = spent <= budget;
    if (isWithin) best = made;
    // Where the user typed nothing and no section appears at this size, a budget without end shows what there is to tell.
    const isAll = made.isAll && made.sections.length > 0;
    if (isWithin && (isAll || attempt >= (isLittle(evidence) ? 5 : 2) || spent >= budget * 0.98)) break;
    if (spent === 0 && !isLittle(evidence)) break;
    room *= isWithin ? (0.995 * budget) / spent : Math.min(0.99, (0.99 * budget) / spent);
  }
  const isEmpty = best === undefined || best.sections.length === 0;
  const sections = isEmpty ? fitNewestWords(evidence, budget, cost) : (best?.sections ?? []);
  return toDigest(sections, best?.isWhole === true, evidence, countText);
}

/** Of more than so many names and lines no budget in which no section appears holds all. */
const isLittle = ({ identifiers, statements = [] }: Evidence): boolean => identifiers.length + statements.length < 200;

/** The whole may cost a little more than its parts do by themselves. */
const WHOLE_TO_PARTS = 1.02;

/** Where a counter makes a title dearer than the budget, the newest words stand alone. */
function fitNewestWords(evidence: Evidence, budget: number, cost: Cost): readonly WrittenSection[] {
  const newest = evidence.words.at(-1);
  const text = newest === undefined ? '' : (cutToCost(newest.text, budget, cost) ?? '');
  return text === '' ? [] : [{ name: 'request', text }];
}

function toDigest(
  written: readonly WrittenSection[],
  holdsAllWords: boolean,
  evidence: Evidence,
  countText: (text: string) => number,
): Digest {
  const text = joinSections(written);
  const sections = written.flatMap(({ name, text: part }) =>
    name === 'frame' ? [] : [{ name, text: part, tokens: countText(part) }],
  );
  return { text, tokens: countText(text), sections, holdsAllWords, evidence };
}

/** What is counted, how much of it there may be, and how much of it one token is. */
function readBudget(
  { maxTokens, maxChars }: DigestOptions,
  countText: (text: string) => number,
): { readonly cost: Cost; readonly budget: number; readonly unit: number } {
  const isEnough = (maxTokens ?? leastTokens) >= leastTokens && (maxChars ?? leastChars) >= leastChars;
  if (isEnough && maxTokens !== undefined) {
    const perChar = maxChars === undefined ? 0 : maxTokens / maxChars;
    const cost = perChar === 0 ? countText : (text: string) => Math.max(countText(text), text.length * perChar);
    return { cost, budget: maxTokens, unit: 1 };
  }
  if (isEnough && maxChars !== undefined) return { cost: (text) => text.length, budget: maxChars, unit: charsPerToken };
  throw new CompactionError(
    'bad-option',
    `a digest needs a budget: pass maxTokens of at least ${leastTokens} or maxChars of at least ${leastChars}`,
  );
}
