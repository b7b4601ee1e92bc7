import type { Message } from '../message/message.ts';
import type { Prices } from '../size/cost.ts';
import type { Usage } from '../size/usage.ts';

/** One call to a model that writes summaries. No tools are offered; the last message is the request. */
export interface SummaryRequest {
  /** `same-prefix`: the live conversation and one more message, so that the provider's cache serves it. */
  readonly form: 'same-prefix' | 'stand-alone';
  readonly messages: readonly Message[];
  readonly maxOutput: number;
}

/** What the model said, unchecked: the judge looks at it next. */
export interface SummaryAnswer {
  readonly text: string;
  /** Why the model stopped: `end` of its own accord, `length` cut off, `tool` because it wanted to call one. */
  readonly stop: 'end' | 'length' | 'tool' | 'other';
  readonly usage?: Usage;
}

/**
 * The port. Throws what goes wrong; an error may carry `code: 'too-long'` (with `maximum`), `code: 'rate-limited'` (with
 * `retryAfterMs`) and `retryable`. Anything else it throws is a failure, and the digest takes over.
 */
export interface Summarizer {
  /** The summarizing model's own context window. */
  readonly window: number;
  /** True where it is the model of the conversation, so that the live prefix is in its cache. */
  readonly sharesPrefix?: boolean;
  /** What its tokens cost, where that is not what the session's do. */
  readonly prices?: Prices;
  summarize(request: SummaryRequest, options: { readonly signal?: AbortSignal }): Promise<SummaryAnswer>;
}

/** Time, which core does not have. Without it there are no waits and no deadlines. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Why a summary was not to be had, or was not believed. */
export type SummaryFailure =
  | 'empty'
  | 'cut-off'
  | 'tool-call'
  | 'error-text'
  /** The model will not write one. */
  | 'refusal'
  /** The request's own words came back. */
  | 'echo'
  /** It holds tags that only hosts and providers write. */
  | 'injected'
  /** Neither in form, nor does it tell what was done. */
  | 'chat-continuation'
  | 'wrong-language'
  | 'not-smaller'
  | 'over-budget'
  | 'fabricated'
  | 'too-long'
  | 'rate-limited'
  | 'timed-out'
  | 'failed';
