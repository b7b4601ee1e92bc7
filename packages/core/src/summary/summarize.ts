import { asNumber } from '../json.ts';
import type { Fact } from '../ledger/ledger.ts';
import { costOfUsage, type Prices } from '../size/cost.ts';
import type { Usage } from '../size/usage.ts';
import type { Need } from '../view/need.ts';
import { judge } from './judge.ts';
import { type Call, newPatientCall, PATIENCE, type Spending, SummaryError } from './patient-call.ts';
import { askBehindPrefix, askStandAlone, outputRoomFor, requestText, type SummaryAsk } from './prompt.ts';
import { countSpan, splitSpan } from './split-span.ts';
import type { Clock, Summarizer, SummaryAnswer } from './summarizer.ts';

/** The one kind of need that takes a model. */
export type SummaryNeed = Extract<Need, { type: 'summary' }>;

/** The model, and how patient to be with it. */
export interface SummarizeOptions {
  readonly summarizer: Summarizer;
  /** Without it there is no deadline, and retries follow at once. */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly countText: (text: string) => number;
  /** For the whole summary; `PATIENCE.deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
  /** What the conversation's tokens cost, where that is known; the summarizer's own prices count before them. */
  readonly prices?: Prices | undefined;
  /** Told of an answer that was given up on and has not come. */
  readonly onLeft?: ((answer: Promise<unknown>) => void) | undefined;
}

/** Meets a need for a summary, or says why it cannot be met. Only an abort by the caller is thrown. */
export async function summarize(need: SummaryNeed, options: SummarizeOptions): Promise<Fact> {
  const { summarizer, clock, signal, onLeft, deadlineMs = PATIENCE.deadlineMs } = options;
  const spending: Spending = { calls: 0, usage: [] };
  const until = clock === undefined ? Infinity : clock.now() + deadlineMs;
  const call = newPatientCall({ summarizer, clock, signal, until, onLeft }, spending);
  const sumSpending = (): { calls: number; usage: Usage; cost?: number } => {
    const usage = sumUsage(spending.usage);
    const prices = summarizer.prices ?? options.prices;
    return { calls: spending.calls, usage, ...(prices === undefined ? {} : { cost: costOfUsage(usage, prices) }) };
  };
  try {
    const { text, flagged } = await writeSummary(need, options, call);
    return { type: 'summary', key: need.key, text, flagged, ...sumSpending() };
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof SummaryError)) throw error;
    return { type: 'failed', key: need.key, need: 'summary', code: error.code, why: error.message, ...sumSpending() };
  }
}

async function writeSummary(
  need: SummaryNeed,
  options: SummarizeOptions,
  call: Call,
): Promise<{ readonly text: string; readonly flagged: readonly string[] }> {
  const { instructions, template, prompt, scope } = need;
  let asked: SummaryAsk = {
    // The answer and its scratch analysis must leave most of the summarizer's own window to the conversation.
    maxTokens: Math.min(need.maxTokens, Math.floor(options.summarizer.window / 8)),
    scope,
    ...(instructions === undefined ? {} : { instructions }),
    ...(template === undefined ? {} : { template }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  for (let attempt = 0; ; attempt++) {
    const answer = await requestAnswer(need, asked, options, call);
    const verdict = judge(answer, { ...need, countText: options.countText });
    if (verdict.type === 'accepted') return verdict;
    if (attempt >= PATIENCE.rejections) throw new SummaryError(verdict.code, verdict.why);
    asked = { ...asked, rejected: verdict.why };
  }
}

const isTooLong = (error: unknown): boolean => error instanceof SummaryError && error.code === 'too-long';

/** The live prefix where it fits the summarizer; else the span alone, shrunk or in parts. */
async function requestAnswer(
  need: SummaryNeed,
  asked: SummaryAsk,
  options: SummarizeOptions,
  call: Call,
): Promise<SummaryAnswer> {
  const { summarizer, countText } = options;
  const request = requestText(askUpdate(asked, need.previous));
  const room = summarizer.window - outputRoomFor(asked) - countText(request) - 64;
  if (summarizer.sharesPrefix === true && need.liveTokens <= room && need.opening !== undefined) {
    try {
      return await call(askBehindPrefix(need.live, { ...asked, opening: need.opening }));
    } catch (error) {
      if (!isTooLong(error)) throw error;
    }
  }
  let allowed = room;
  for (let shrinks = 0; ; shrinks++) {
    try {
      return await summarizeInParts(need, asked, allowed, countText, call);
    } catch (error) {
      if (!isTooLong(error) || shrinks >= PATIENCE.shrinks) throw error;
      // Where the summarizer's window is smaller than stated, half of it may still hold all that was refused.
      allowed = Math.floor(Math.min(allowed, countSpan(need.span, countText)) * PATIENCE.shrink);
    }
  }
}

const askUpdate = (asked: SummaryAsk, previous: string | undefined): SummaryAsk =>
  previous === undefined ? asked : { ...asked, previous };

/** Whole rounds, as many as fit, one request after the other; each brings the summary so far up to date. */
async function summarizeInParts(
  need: SummaryNeed,
  asked: SummaryAsk,
  allowed: number,
  countText: (text: string) => number,
  call: Call,
): Promise<SummaryAnswer> {
  if (allowed < 256) throw new SummaryError('too-long', 'the request itself does not fit the summarizer');
  const chunks = splitSpan(need.span, allowed, countText);
  // More parts than can be afforded: the oldest go; the evidence that code carries covers them.
  const [first = [], ...others] = chunks.slice(-Math.max(1, PATIENCE.calls - 2));
  let answer = await call(askStandAlone(first, askUpdate(asked, need.previous)));
  for (const chunk of others) {
    if (answer.stop !== 'end') break;
    answer = await call(askStandAlone(chunk, askUpdate(asked, answer.text)));
  }
  return answer;
}

function sumUsage(all: readonly Usage[]): Usage {
  const sum = (key: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    all.reduce((value, usage) => value + (asNumber(usage[key]) ?? 0), 0);
  return { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
}
