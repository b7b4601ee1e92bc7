import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import type { Message } from '../message/message.ts';
import { redactMessage } from '../message/redact-message.ts';
import { listUserTexts } from '../message/user-text.ts';
import { estimateText } from '../size/estimate-message.ts';
import type { SectionName } from './choose/allot-budget.ts';
import type { Cost } from './choose/item.ts';
import type { Evidence } from './evidence/evidence.ts';
import { quoteUserText } from './quote-user-text.ts';
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
const leastChars = leastTokens * charsPerToken;

const DIGEST_OPTIONS: OptionRules<DigestOptions> = {
  maxTokens: allow.positive,
  maxChars: allow.positive,
  countText: allow.function,
  previous: allow.object,
};

/** What users wrote may take this part of a digest that is read without the conversation, and most of a small one. */
const USER_SHARE = 0.3;
const SMALL_SHARE = 0.8;
const SMALL_TOKENS = 120;

/**
 * What a span of messages comes to, without a model, for a reader who does not see the conversation: what users wrote, the
 * state of the work, and an index of the identifiers most likely needed again, within the budget. Secrets are taken out.
 * Same input, same text.
 */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  checkOptions('digest()', options, DIGEST_OPTIONS);
  const clean = messages.map(redactMessage);
  const { cost, budget, unit } = readBudget(options, options.countText ?? estimateText);
  const typed = listUserTexts(clean).filter(({ author }) => author === 'user');
  const evidence = gatherEvidence(clean, options.previous);
  const whole = (text: string): number => cost(`${text}\n`);
  const quote = (room: number): string => quoteUserText(typed, Math.min(room, budget), whole, true) ?? '';
  const least = Math.max(budget * USER_SHARE, Math.min(budget * SMALL_SHARE, SMALL_TOKENS * unit));
  // Where the work has less to tell, users have the rest.
  const before = quote(least);
  const first = writeDigest(evidence, { ...options, before });
  const spare = budget - cost(first.text);
  if (spare < budget / 20) return first;
  return writeDigest(evidence, { ...options, before: quote(whole(before) + spare) });
}

/** What a session says besides. */
export interface WriteOptions extends DigestOptions {
  /** Stands first, and counts. */
  readonly before?: string;
  /** How many messages the transcript has before what was read; places are counted from its start. */
  readonly messagesBefore?: number;
  /** What stands beside the digest: names in it need not be told again. */
  readonly beside?: string;
}

/** The digest of what was read before. */
export function writeDigest(evidence: Evidence, options: WriteOptions): Digest {
  const { countText = estimateText, messagesBefore = 0, beside = '' } = options;
  const { cost, budget: stated, unit } = readBudget(options, countText);
  const before: readonly WrittenSection[] =
    options.before === undefined || options.before === '' ? [] : [{ name: 'user', text: `${options.before}\n` }];
  const first = joinSections(before);
  const budget = stated - cost(first);
  const composer = newComposer(evidence, { cost, unit, messagesBefore, beside: `${beside}${first}` });
  let best: Composition | undefined;
  // What the parts cost by themselves adds up to a little more or less than the whole: the room is set right once it is known.
  for (let attempt = 0, room = budget; attempt < 6 && room >= 1; attempt++) {
    const made = composer.compose(room);
    const spent = cost(first + joinSections(made.sections)) - (stated - budget);
    const isWithin = spent <= budget;
    if (isWithin) best = made;
    const isAll = made.isAll && made.sections.length > 0;
    if (isWithin && (isAll || attempt >= (isLittle(evidence) ? 5 : 2) || spent >= budget * 0.98)) break;
    if (spent === 0 && !isLittle(evidence)) break;
    room *= isWithin ? (0.995 * budget) / spent : Math.min(0.99, (0.99 * budget) / spent);
  }
  return toDigest([...before, ...(best?.sections ?? [])], evidence, countText);
}

/** Of more than so many names and lines no budget in which no section appears holds all. */
const isLittle = ({ identifiers, statements = [] }: Evidence): boolean => identifiers.length + statements.length < 200;

function toDigest(written: readonly WrittenSection[], evidence: Evidence, countText: (text: string) => number): Digest {
  const text = joinSections(written);
  const sections = written.flatMap(({ name, text: part }) =>
    name === 'frame' ? [] : [{ name, text: part, tokens: countText(part) }],
  );
  return { text, tokens: countText(text), sections, evidence };
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
