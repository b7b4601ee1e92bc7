import { CompactionError } from '../errors.ts';
import type { Message } from '../message/message.ts';
import { estimateText } from '../size/estimate-message.ts';
import { SAID_FIRST, type SectionName } from './choose/shares.ts';
import type { Evidence } from './evidence/evidence.ts';
import { gatherEvidence } from './read/gather-evidence.ts';
import { type Made, newComposer } from './write/compose-sections.ts';
import { type Cost, cutToCost } from './write/fill-section.ts';

export { digestShares, type SectionName } from './choose/shares.ts';
export type * from './evidence/evidence.ts';
export { gatherEvidence } from './read/gather-evidence.ts';

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
   * What the user said takes what it needs before all else, rules up to 30 % of the budget and other words up to 20 %:
   * for a view in which nothing else carries them. False by default.
   */
  readonly saidFirst?: boolean;
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
  /** All that was read, also what the text has no room for; the `previous` of the next digest. */
  readonly evidence: Evidence;
}

/** The least budget a digest makes sense in. */
const leastTokens = 16;
const charsPerToken = 4;

/**
 * What a span of messages comes to, without a model: the user's words and rules, the state of the work, and an index of
 * the identifiers most likely needed again, within the budget. Same input, same text.
 */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  const countText = options.countText ?? estimateText;
  const { cost, budget, unit } = readBudget(options, countText);
  const evidence = gatherEvidence(messages, options.previous);
  const compose = newComposer(evidence, cost, unit, options.saidFirst === true ? SAID_FIRST : {});
  let best: readonly Made[] = [];
  // What the parts cost by themselves adds up to a little more or less than the whole: the room is set right once it is known.
  for (let attempt = 0, room = budget; attempt < 6 && room >= 1; attempt++) {
    const { made, isAll } = compose(room);
    const spent = cost(textOf(made));
    const isWithin = spent <= budget;
    if (isWithin) best = made;
    if (isWithin && (isAll || attempt >= 2 || spent >= budget * 0.98)) break;
    room *= isWithin ? (0.995 * budget) / spent : Math.min(0.99, (0.99 * budget) / spent);
  }
  if (best.length === 0 && evidence.words.length > 0) best = fitNewestWords(evidence, budget, cost);
  return toDigest(textOf(best), best, evidence, countText);
}

const textOf = (made: readonly Made[]): string => made.map((section) => section.text).join('');

/** Where a counter makes a title dearer than the budget, the newest words stand alone. */
function fitNewestWords(evidence: Evidence, budget: number, cost: Cost): readonly Made[] {
  const text = cutToCost(evidence.words.at(-1)!.text, budget, cost) ?? '';
  return text === '' ? [] : [{ name: 'request', text }];
}

function toDigest(
  text: string,
  made: readonly Made[],
  evidence: Evidence,
  countText: (text: string) => number,
): Digest {
  const shown = made.flatMap(({ name, text: part }) =>
    name === 'frame' ? [] : [{ name, text: part, tokens: countText(part) }],
  );
  return { text, tokens: countText(text), sections: shown, evidence };
}

function readBudget(
  options: DigestOptions,
  countText: (text: string) => number,
): { cost: Cost; budget: number; unit: number } {
  const { maxTokens, maxChars } = options;
  const tokens = maxTokens ?? (maxChars ?? 0) / charsPerToken;
  if (!(tokens >= leastTokens) || (maxChars !== undefined && !(maxChars >= leastTokens * charsPerToken))) {
    throw new CompactionError(
      'bad-option',
      `a digest needs a budget: pass maxTokens of at least ${leastTokens} or maxChars of at least ${leastTokens * charsPerToken}`,
    );
  }
  if (maxTokens === undefined) return { cost: (text) => text.length, budget: maxChars!, unit: charsPerToken };
  if (maxChars === undefined) return { cost: countText, budget: maxTokens, unit: 1 };
  const perChar = maxTokens / maxChars;
  return { cost: (text) => Math.max(countText(text), text.length * perChar), budget: maxTokens, unit: 1 };
}
