import type { Fact } from '../ledger/ledger.ts';
import type { Message } from '../message/message.ts';
import { callsOf, resultsOf } from '../message/message.ts';
import type { Usage } from '../size/usage.ts';
import type { Need } from '../view/need.ts';
import { judge } from './judge.ts';
import { askBehindPrefix, askStandAlone, quoteMessage, requestText, type SummaryAsk } from './prompt.ts';
import type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summarizer.ts';

/** The one kind of need that takes a model. */
export type SummaryNeed = Extract<Need, { type: 'summary' }>;

/** Bounds on what one summary may cost, whatever goes wrong. */
export const PATIENCE = {
  /** Calls to the summarizer for one summary, all retries and parts together. */
  calls: 8,
  /** A request that is too long shrinks by this much, so often. */
  shrink: 0.5,
  shrinks: 3,
  /** Broken streams and rate limits. */
  repeats: 2,
  /** Answers that the judge rejected. */
  rejections: 1,
  deadlineMs: 120_000,
} as const;

/** The model, and how patient to be with it. */
export interface SummarizeOptions {
  readonly summarizer: Summarizer;
  /** Without it there is no deadline, and retries follow at once. */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly countText: (text: string) => number;
  /** For the whole summary; `PATIENCE.deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
}

interface Failure {
  readonly code: SummaryFailure;
  readonly why: string;
}

class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.why);
    this.failure = failure;
  }
}

/** Meets a need for a summary, or says why it cannot be met. Only an abort by the caller is thrown. */
export async function summarize(need: SummaryNeed, options: SummarizeOptions): Promise<Fact> {
  const spent: { calls: number; usage: Usage[] } = { calls: 0, usage: [] };
  const until =
    options.clock === undefined ? Infinity : options.clock.now() + (options.deadlineMs ?? PATIENCE.deadlineMs);
  const call = newPatientCall(options, until, spent);
  try {
    const { text, flagged } = await writeSummary(need, options, call);
    return { type: 'summary', key: need.key, text, flagged, calls: spent.calls, usage: sumUsage(spent.usage) };
  } catch (error) {
    if (options.signal?.aborted === true || !(error instanceof Failed)) throw error;
    const { code, why } = error.failure;
    return {
      type: 'failed',
      key: need.key,
      need: 'summary',
      code,
      why,
      calls: spent.calls,
      usage: sumUsage(spent.usage),
    };
  }
}

type Call = (request: SummaryRequest) => Promise<SummaryAnswer>;

async function writeSummary(
  need: SummaryNeed,
  options: SummarizeOptions,
  call: Call,
): Promise<{ text: string; flagged: readonly string[] }> {
  let rejection: Failure | undefined;
  for (let attempt = 0; attempt <= PATIENCE.rejections; attempt++) {
    const asked: SummaryAsk = {
      // The answer and its scratch analysis must leave most of the summarizer's own window to the conversation.
      maxTokens: Math.min(need.maxTokens, Math.floor(options.summarizer.window / 8)),
      ...(need.instructions === undefined ? {} : { instructions: need.instructions }),
      ...(rejection === undefined ? {} : { rejected: rejection.why }),
    };
    const answer = await requestAnswer(need, asked, options, call);
    const verdict = judge(answer, { ...need, countText: options.countText });
    if (verdict.type === 'accepted') return verdict;
    rejection = verdict;
  }
  throw new Failed(rejection!);
}

/** The live prefix where it fits the summarizer; else the span alone, shrunk or in parts. */
async function requestAnswer(
  need: SummaryNeed,
  asked: SummaryAsk,
  options: SummarizeOptions,
  call: Call,
): Promise<SummaryAnswer> {
  const { summarizer, countText } = options;
  const room = summarizer.window - asked.maxTokens * 2 - countText(requestText({ ...asked, ...previousOf(need) })) - 64;
  if (summarizer.sharesPrefix === true && need.liveTokens <= room && need.upTo !== undefined) {
    try {
      return await call(askBehindPrefix(need.live, { ...asked, upTo: need.upTo }));
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.code !== 'too-long') throw error;
    }
  }
  let allowed = room;
  for (let shrinks = 0; ; shrinks++) {
    try {
      return await summarizeInParts(need, asked, allowed, countText, call);
    } catch (error) {
      const tooLong = error instanceof Failed && error.failure.code === 'too-long';
      if (!tooLong || shrinks >= PATIENCE.shrinks) throw error;
      allowed = Math.floor(allowed * PATIENCE.shrink);
    }
  }
}

const previousOf = (need: SummaryNeed): { previous?: string } =>
  need.previous === undefined ? {} : { previous: need.previous };

/** Whole rounds, as many as fit, one request after the other; each brings the summary so far up to date. */
async function summarizeInParts(
  need: SummaryNeed,
  asked: SummaryAsk,
  allowed: number,
  countText: (text: string) => number,
  call: Call,
): Promise<SummaryAnswer> {
  if (allowed < 256) throw new Failed({ code: 'too-long', why: 'the request itself does not fit the summarizer' });
  const chunks = splitSpan(need.span, allowed, countText);
  // More parts than can be afforded: the oldest go; the evidence that code carries covers them.
  const affordable = chunks.slice(-Math.max(1, PATIENCE.calls - 2));
  let answer: SummaryAnswer | undefined;
  for (const chunk of affordable) {
    const before = answer === undefined ? need.previous : answer.text;
    answer = await call(askStandAlone(chunk, { ...asked, ...(before === undefined ? {} : { previous: before }) }));
    if (answer.stop !== 'end') return answer;
  }
  return answer!;
}

function splitSpan(
  span: readonly Message[],
  allowed: number,
  countText: (text: string) => number,
): readonly (readonly string[])[] {
  const chunks: string[][] = [[]];
  let used = 0;
  for (const round of roundsOf(span)) {
    const lines = round.map(quoteMessage);
    let tokens = lines.reduce((sum, line) => sum + countText(line) + 1, 0);
    if (tokens > allowed) {
      // One round larger than the window: each line keeps its head.
      const chars = Math.max(40, Math.floor((allowed * 2) / lines.length));
      for (const [i, line] of lines.entries()) if (line.length > chars) lines[i] = `${line.slice(0, chars)} […]`;
      tokens = lines.reduce((sum, line) => sum + countText(line) + 1, 0);
    }
    if (used + tokens > allowed && chunks.at(-1)!.length > 0) {
      chunks.push([]);
      used = 0;
    }
    chunks.at(-1)!.push(...lines);
    used += tokens;
  }
  return chunks;
}

function roundsOf(span: readonly Message[]): readonly (readonly Message[])[] {
  const rounds: Message[][] = [];
  let open = 0;
  for (const message of span) {
    if (open > 0 && message.role === 'user') rounds.at(-1)!.push(message);
    else rounds.push([message]);
    open = Math.max(0, open + callsOf(message).length - resultsOf(message).length);
  }
  return rounds;
}

/** Calls with patience: repeats what may pass, respects retry-after, keeps the deadline, counts every call. */
function newPatientCall(options: SummarizeOptions, until: number, spent: { calls: number; usage: Usage[] }): Call {
  const { summarizer, clock, signal } = options;
  return async (request) => {
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted();
      if (spent.calls >= PATIENCE.calls)
        throw new Failed({ code: 'failed', why: `${spent.calls} calls brought no summary` });
      spent.calls++;
      try {
        const answer = await callWithin(summarizer, request, clock, until, signal);
        if (answer.usage !== undefined) spent.usage.push(answer.usage);
        return answer;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        if (error instanceof Failed) throw error;
        const { code, why, retryable, retryAfterMs } = readError(error);
        if (!retryable || repeat >= PATIENCE.repeats) throw new Failed({ code, why });
        const pause = retryAfterMs ?? 500 * 2 ** repeat;
        if (clock === undefined) continue;
        if (clock.now() + pause >= until)
          throw new Failed({ code, why: `${why}; the deadline is nearer than the retry` });
        await clock.wait(pause, signal);
      }
    }
  };
}

async function callWithin(
  summarizer: Summarizer,
  request: SummaryRequest,
  clock: Clock | undefined,
  until: number,
  signal: AbortSignal | undefined,
): Promise<SummaryAnswer> {
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const alarm = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const runs: Promise<SummaryAnswer>[] = [summarizer.summarize(request, { signal: stop.signal }), aborted];
  if (clock !== undefined)
    runs.push(
      clock.wait(Math.max(0, until - clock.now()), alarm.signal).then(() => {
        throw new Failed({ code: 'timed-out', why: 'the summarizer did not answer before the deadline' });
      }),
    );
  for (const run of runs) run.catch(() => {});
  try {
    return await Promise.race(runs);
  } catch (error) {
    if (error instanceof Failed) stop.abort(error);
    throw error;
  } finally {
    alarm.abort();
    signal?.removeEventListener('abort', abort);
  }
}

function readError(error: unknown): Failure & { retryable: boolean; retryAfterMs?: number } {
  const { code, retryable, retryAfterMs, message } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Record<string, unknown>;
  const why = typeof message === 'string' ? message : String(error);
  const wait = typeof retryAfterMs === 'number' ? { retryAfterMs } : {};
  if (code === 'too-long') return { code, why, retryable: false };
  if (code === 'rate-limited') return { code, why, retryable: true, ...wait };
  return { code: 'failed', why, retryable: retryable === true, ...wait };
}

function sumUsage(all: readonly Usage[]): Usage {
  const sum = (key: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    all.reduce((value, usage) => value + (usage[key] ?? 0), 0);
  return { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
}
