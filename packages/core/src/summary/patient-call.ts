import { asFields, asNumber, isFields } from '../json.ts';
import type { Usage } from '../size/usage.ts';
import { toWellFormed } from '../text.ts';
import { awaitAnswer, wordsOfError } from './await-answer.ts';
import type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summarizer.ts';

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

/** Why there is no summary, as it is thrown inside this room; `summarize` makes a fact of it. */
export class SummaryError extends Error {
  readonly code: SummaryFailure;

  constructor(code: SummaryFailure, why: string) {
    super(why);
    this.code = code;
  }
}

/** What one summary has cost so far. */
export interface Spending {
  calls: number;
  readonly usage: Usage[];
}

/** Who is called, and what may end the call. */
export interface Calling {
  readonly summarizer: Summarizer;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The time at which patience ends. */
  readonly until: number;
  /** Told of an answer that was given up on. */
  readonly onLeft?: ((answer: Promise<unknown>) => void) | undefined;
}

/** One call to the summarizer, with patience. */
export type Call = (request: SummaryRequest) => Promise<SummaryAnswer>;

/** Calls with patience: repeats what may pass, respects retry-after, keeps the deadline, counts every call. */
export function newPatientCall(calling: Calling, spending: Spending): Call {
  const { clock, signal, until } = calling;
  return async (request) => {
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted();
      if (spending.calls >= PATIENCE.calls)
        throw new SummaryError('failed', `${spending.calls} calls brought no summary`);
      spending.calls++;
      try {
        const answer = await callWithin(calling, request);
        if (answer?.usage !== undefined) spending.usage.push(answer.usage);
        if (typeof answer?.text !== 'string') throw new SummaryError('empty', 'the answer holds no text');
        return { ...answer, text: toWellFormed(answer.text) };
      } catch (error) {
        if (signal?.aborted === true || error instanceof SummaryError) throw error;
        const { code, why, retryable, retryAfterMs } = readError(error);
        if (!retryable || repeat >= PATIENCE.repeats) throw new SummaryError(code, why);
        const pause = retryAfterMs ?? 500 * 2 ** repeat;
        if (clock === undefined) continue;
        if (clock.now() + pause >= until) throw new SummaryError(code, `${why}; the deadline is nearer than the retry`);
        await awaitAnswer((left) => clock.wait(pause, left), { signal, limitMs: Infinity });
      }
    }
  };
}

async function callWithin(
  { summarizer, clock, signal, until, onLeft }: Calling,
  request: SummaryRequest,
): Promise<SummaryAnswer> {
  const limitMs = clock === undefined ? Infinity : Math.max(0, until - clock.now());
  let isLate = false;
  const note = (answer: Promise<unknown>): void => {
    isLate = true;
    onLeft?.(answer);
  };
  try {
    const ask = (left: AbortSignal) => summarizer.summarize(request, { signal: left });
    return readAnswer(await awaitAnswer<unknown>(ask, { clock, signal, limitMs, onLeft: note }));
  } catch (error) {
    if (isLate && signal?.aborted !== true)
      throw new SummaryError('timed-out', 'the summarizer did not answer before the deadline');
    throw error;
  }
}

const STOPS = ['end', 'length', 'tool', 'other'] as const;

/** An answer of the shape that the port promises, whatever came; figures that are none are left out. */
function readAnswer(value: unknown): SummaryAnswer {
  const { text, stop, usage } = asFields(value);
  if (typeof text !== 'string') throw new SummaryError('failed', 'the summarizer answered without a text');
  return {
    text,
    stop: STOPS.find((known) => known === stop) ?? 'other',
    ...(isFields(usage) ? { usage: readFigures(usage) } : {}),
  };
}

const readFigures = (usage: Readonly<Record<string, unknown>>): Usage => {
  const figures = (['input', 'output', 'cacheRead', 'cacheWrite'] as const).map((name) => [
    name,
    asNumber(usage[name]),
  ]);
  return Object.fromEntries(figures.filter(([, value]) => value !== undefined));
};

/** What a summarizer threw, as far as it follows the port's words. */
function readError(error: unknown): {
  readonly code: SummaryFailure;
  readonly why: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
} {
  const { code, retryable, retryAfterMs } = asFields(error);
  const why = wordsOfError(error);
  if (code === 'too-long') return { code, why, retryable: false };
  const isLimited = code === 'rate-limited';
  return {
    code: isLimited ? code : 'failed',
    why,
    retryable: isLimited || retryable === true,
    retryAfterMs: asNumber(retryAfterMs),
  };
}
