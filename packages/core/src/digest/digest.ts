import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import type { Message } from '../message/message.ts';
import { redactMessage } from '../message/redact-message.ts';
import { listUserTexts } from '../message/user-text.ts';
import { estimateText } from '../size/estimate-message.ts';
import { quoteUserText } from './quote-user-text.ts';
import { newReader, type Reader } from './reader.ts';
import { joinSections, type Room, type SectionName, writeSections } from './write.ts';

/** How long the digest may be: state `maxTokens`, `maxChars` or both. */
export interface DigestOptions {
  /** One of the two is needed; with both, both hold. The least is 16 tokens or 64 characters. */
  readonly maxTokens?: number;
  readonly maxChars?: number;
  /** The embedded estimate by default. */
  readonly countText?: (text: string) => number;
  /** What its reader sees besides: what stands there need not be told again. */
  readonly beside?: string;
}

/** One section of the text, for those who show or weigh them one by one. */
export interface DigestSection {
  readonly name: SectionName;
  readonly text: string;
  /** In tokens, by the counter passed in. */
  readonly tokens: number;
}

/** What a span of messages comes to. */
export interface Digest {
  /** Never over the budget; empty where there is nothing to tell. */
  readonly text: string;
  readonly tokens: number;
  /** In order; sections with nothing to tell are left out. */
  readonly sections: readonly DigestSection[];
}

/** The least budget a digest makes sense in. */
const leastTokens = 16;
const charsPerToken = 4;
const leastChars = leastTokens * charsPerToken;

const DIGEST_OPTIONS: OptionRules<DigestOptions> = {
  maxTokens: allow.positive,
  maxChars: allow.positive,
  countText: allow.function,
  beside: allow.string,
};

/** What users wrote may take this part of a digest that is read without the conversation, and most of a small one. */
const USER_SHARE = 0.3;
const SMALL_SHARE = 0.8;
const SMALL_TOKENS = 120;

/**
 * What a span of messages comes to, without a model, for a reader who does not see the conversation: what users wrote, the
 * state of the work, and the lines most likely needed again, within the budget. Secrets are taken out. Same input, same text.
 */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  checkOptions('digest()', options, DIGEST_OPTIONS);
  const clean = messages.map(redactMessage);
  const { cost, budget, unit } = readBudget(options, options.countText ?? estimateText);
  const typed = listUserTexts(clean).filter(({ author }) => author === 'user');
  const reader = newReader();
  reader.read(clean);
  const whole = (text: string): number => cost(`${text}\n`);
  const quote = (room: number): string => quoteUserText(typed, Math.min(room, budget), whole, true) ?? '';
  const least = Math.max(budget * USER_SHARE, Math.min(budget * SMALL_SHARE, SMALL_TOKENS * unit));
  // Where the work has less to tell, users have the rest.
  const before = quote(least);
  const first = writeDigest(reader, { ...options, before });
  const spare = budget - cost(first.text);
  if (spare < budget / 20) return first;
  return writeDigest(reader, { ...options, before: quote(whole(before) + spare) });
}

/** What a session says besides. */
export interface WriteOptions extends DigestOptions {
  /** Stands first, and counts. */
  readonly before?: string;
  /** How many messages the transcript has before what was read; places are counted from its start. */
  readonly messagesBefore?: number;
}

/** The digest of what was read before. */
export function writeDigest(reader: Reader, options: WriteOptions): Digest {
  const { countText = estimateText, messagesBefore = 0, beside = '', before = '' } = options;
  const room: Room = { ...readBudget(options, countText), messagesBefore, beside };
  const written = writeSections(reader, room, before);
  const text = joinSections(written);
  const sections = written.flatMap(({ name, text: part }) =>
    name === 'frame' ? [] : [{ name, text: part, tokens: countText(part) }],
  );
  return { text, tokens: countText(text), sections };
}

/** What is counted, how much of it there may be, and how much of it one token is. */
function readBudget(
  { maxTokens, maxChars }: DigestOptions,
  countText: (text: string) => number,
): Pick<Room, 'cost' | 'budget' | 'unit'> {
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
