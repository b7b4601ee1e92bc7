import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { cutToCost } from '../digest/cut-to-cost.ts';
import { digest } from '../digest/digest.ts';
import { CompactionError } from '../errors.ts';
import type { Message } from '../message/message.ts';
import { redact } from '../message/redact.ts';
import { handoffFrame, handoffSummary } from '../notices.ts';
import { estimateText } from '../size/estimate-message.ts';

/** How long a hand-off may be, and how the one who reads it gets at the rest. */
export interface HandoffOptions {
  /** 4,000 by default. The least is 256. */
  readonly maxTokens?: number;
  /** Which session it is from, in a few words: its id, or a file. */
  readonly from?: string;
  /** How to read more of it, in words for the next agent: a command, or a tool. */
  readonly recall?: string;
}

/** The opening message of a fresh session: `session.handoff()`. */
export interface Handoff {
  readonly text: string;
  readonly tokens: number;
  /** Of the conversation that it is about. */
  readonly messages: number;
}

const rules: OptionRules<HandoffOptions> = {
  maxTokens: allow.positive,
  from: allow.string,
  recall: allow.string,
};

const USUAL_TOKENS = 4_000;
const LEAST_TOKENS = 256;
/** What a model or the user wrote about it may take this part; the rest is read off the transcript. */
const SUMMARY_SHARE = 0.3;

/** Code writes it, from the transcript and a summary that stands: the same input gives the same text. */
export function writeHandoff(
  transcript: readonly Message[],
  narrative: string | undefined,
  options: HandoffOptions,
  countText: (text: string) => number = estimateText,
): Handoff {
  checkOptions('handoff()', options, rules);
  const { maxTokens = USUAL_TOKENS, from, recall } = options;
  if (maxTokens < LEAST_TOKENS)
    throw new CompactionError(
      'bad-option',
      `handoff(): "maxTokens" must be ${LEAST_TOKENS} or more: less tells nothing.`,
    );
  if (transcript.length === 0)
    throw new CompactionError('nothing-to-compact', 'there are no messages yet: there is nothing to hand off.');
  const frame = redact(handoffFrame({ messages: transcript.length, from, recall }));
  const room = maxTokens - countText(frame);
  const told = narrative === undefined ? '' : tellNarrative(narrative, Math.floor(room * SUMMARY_SHARE), countText);
  const left = room - countText(told);
  const write = (less: number) => digest(transcript, { maxTokens: Math.max(16, left - less), countText });
  let made = write(0);
  const join = (): string => [frame, told, made.text].filter((part) => part !== '').join('\n\n');
  // What the parts take together is a little more than by themselves.
  for (let less = 16; countText(join()) > maxTokens && less < left; less *= 4) made = write(less);
  const text = join();
  return { text, tokens: countText(text), messages: transcript.length };
}

function tellNarrative(narrative: string, most: number, countText: (text: string) => number): string {
  const text = redact(`${handoffSummary}\n${narrative.trim()}`);
  return cutToCost(text, most, countText) ?? '';
}
