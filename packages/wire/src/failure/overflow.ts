import type { Usage } from '@palimpsest/core';
import { asNumber } from '@palimpsest/core/json';
import { readErrorBody } from './error-body.ts';

/** A refusal for size, as `session.overflowed()` takes it; empty where the provider named no figures. */
export interface Overflow {
  /** The window in tokens, where it was stated. */
  readonly maximum?: number;
  /** The size that was compared with it, where it was stated. */
  readonly actual?: number;
}

/** How vendors say "too long". The vendor named is where the wording was seen first; gateways repeat them all. */
const WORDINGS: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic, input and max_tokens together
  /input is too long/i, // Bedrock
  /exceeds (?:the|this|the model's|this model's) (?:model's )?context window/i, // OpenAI
  /context_length_exceeded|context length exceeded/i, // OpenAI
  /input token count.*(?:exceeds the maximum|supports (?:only )?up to)/is, // Gemini
  /maximum prompt length is/i, // xAI
  /reduce the length of the (?:messages|input prompt|prompt)/i, // Groq, vLLM
  /maximum context length (?:is|of)/i, // OpenRouter, vLLM
  /exceeds the limit of [\d,_]+/i, // Copilot
  /exceeds the available context size|exceed_context_size_error/i, // llama.cpp
  /greater than the context length|loaded with context length of/i, // LM Studio
  /context window exceeds limit/i, // MiniMax
  /exceeded model token limit/i, // Kimi
  /too large for model with [\d,_]+ maximum context length/i, // Mistral
  /too many tokens: .*limit/i, // Cohere
  /exceeds context size/i, // ds4
  /model_context_window_exceeded|model_max_prompt_tokens_exceeded/i, // Anthropic's and z.ai's stop reason, Copilot's code
];

/** A quota per minute is a matter of waiting, however the vendor words it. */
const QUOTA = /tokens? per (?:minute|min|hour|day|second)|requests? per|\b[TR]P[MD]\b|rate.?limit|too many requests/i;

const NUMBER = '([\\d][\\d,_]*)';
const pattern = (source: string): RegExp => new RegExp(source.replaceAll('N', NUMBER), 'i');

const MAXIMA: readonly RegExp[] = [
  'tokens > N maximum',
  '\\+ [\\d,_]+ > N',
  'maximum number of tokens allowed(?: is)?:? \\(?N',
  'supports (?:only )?up to N',
  'maximum prompt length is N',
  'maximum context length (?:is|of) N',
  'with N maximum context length',
  'exceeds the limit of N',
  'available context size \\(N',
  'exceeds context size \\(N',
  'n_ctx: N',
  'context length of (?:only )?N',
  'exceeded model token limit: N',
  'limit for this model is N',
  'context window of N',
].map(pattern);

const SIZES: readonly RegExp[] = [
  'too long: N tokens',
  'for a total of (?:at least )?N',
  'input token count(?: is)? \\(?N',
  'request contains N tokens',
  'resulted in N tokens',
  'prompt token count of N',
  'requested (?:about )?N tokens',
  '\\(requested: N\\)',
  'prompt contains (?:at least )?N (?:input )?tokens',
  'request has N input tokens',
  'request \\(N tokens\\)',
  'n_keep: N',
  'prompt tokens \\(N\\)',
  'keep the first N tokens',
].map(pattern);

const SUM = pattern('N \\+ N > [\\d,_]+');

const toNumber = (digits: string): number => Number(digits.replace(/[,_]/g, ''));

const firstNumber = (patterns: readonly RegExp[], text: string): number | undefined => {
  for (const one of patterns) {
    const match = one.exec(text);
    if (match !== null) return toNumber(match[1]!);
  }
  return undefined;
};

/** Whether a provider refused a request for its size. 429 and 529 never mean that, whatever they say. */
export function overflowOf(status: number, body: unknown): Overflow | undefined {
  if (status === 429 || status === 529) return undefined;
  const error = readErrorBody(body);
  // Cerebras sends no body at all; SDKs then write one sentence of their own.
  if (error === undefined || /^\d{3} status code \(no body\)$/.test(error.text))
    return status === 400 || status === 413 ? {} : undefined;
  const said = [error.text, ...error.codes].join('\n');
  const named = WORDINGS.some((wording) => wording.test(said)) && !QUOTA.test(said);
  if (!named && status !== 413) return undefined;
  const maximum = asNumber(error.details.n_ctx) ?? firstNumber(MAXIMA, said);
  const actual = asNumber(error.details.n_prompt_tokens) ?? sumIn(said) ?? firstNumber(SIZES, said);
  return { ...(maximum === undefined ? {} : { maximum }), ...(actual === undefined ? {} : { actual }) };
}

function sumIn(text: string): number | undefined {
  const match = SUM.exec(text);
  return match === null ? undefined : toNumber(match[1]!) + toNumber(match[2]!);
}

/** Some providers accept more than the window and drop it silently (z.ai); the usage tells. */
export const overflowedSilently = (usage: Usage, window: number): boolean =>
  (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) > window;
