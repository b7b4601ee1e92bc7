import { asNumber } from '../json.ts';
import type { Fact } from '../ledger/ledger.ts';
import type { ItemUpdate } from '../ledger/summary-item.ts';
import { redactMessage } from '../message/redact-message.ts';
import { costOfUsage, type Prices } from '../size/cost.ts';
import type { Usage } from '../size/usage.ts';
import type { ItemBase, Need } from '../view/need.ts';
import { fitItems, writeItems } from '../view/summary-items.ts';
import { judge, type Verdict } from './judge.ts';
import { type Call, newPatientCall, PATIENCE, type Spending, SummaryError } from './patient-call.ts';
import { askBehindPrefix, askStandAlone, outputRoomFor, requestText, type SummaryAsk } from './prompt.ts';
import { countSpan, splitSpan } from './split-span.ts';
import type { Clock, Summarizer, SummaryAnswer } from './summarizer.ts';
import { updateItems } from './update-items.ts';

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
  const { clock, signal, onLeft, deadlineMs = PATIENCE.deadlineMs } = options;
  const summarizer = redactForOthers(options.summarizer);
  const spending: Spending = { calls: 0, usage: [] };
  const until = clock === undefined ? Infinity : clock.now() + deadlineMs;
  const call = newPatientCall({ summarizer, clock, signal, until, onLeft }, spending);
  const sumSpending = (): { calls: number; usage: Usage; cost?: number } => {
    const usage = sumUsage(spending.usage);
    const prices = summarizer.prices ?? options.prices;
    return { calls: spending.calls, usage, ...(prices === undefined ? {} : { cost: costOfUsage(usage, prices) }) };
  };
  try {
    return { type: 'summary', key: need.key, ...(await writeSummary(need, options, call)), ...sumSpending() };
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof SummaryError)) throw error;
    return { type: 'failed', key: need.key, need: 'summary', code: error.code, why: error.message, ...sumSpending() };
  }
}

/** Only the conversation's own model has read its secrets already. */
const redactForOthers = (summarizer: Summarizer): Summarizer =>
  summarizer.sharesPrefix === true
    ? summarizer
    : {
        ...summarizer,
        summarize: (request, options) =>
          summarizer.summarize({ ...request, messages: request.messages.map(redactMessage) }, options),
      };

type Written = Pick<Extract<Fact, { type: 'summary' }>, 'text' | 'flagged' | 'statements'>;

async function writeSummary(need: SummaryNeed, options: SummarizeOptions, call: Call): Promise<Written> {
  const { instructions, template, prompt, scope } = need;
  let asked: SummaryAsk = {
    // The answer and its scratch analysis must leave most of the summarizer's own window to the conversation.
    maxTokens: Math.min(need.maxTokens, Math.floor(options.summarizer.window / 8)),
    scope,
    ...(instructions === undefined ? {} : { instructions }),
    ...(template === undefined ? {} : { template }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const { countText } = options;
  for (let attempt = 0; ; attempt++) {
    const { answer, before } = await requestAnswer(need, asked, options, call);
    const verdict = judge(answer, { ...need, ...before, countText });
    if (verdict.type === 'accepted') return takeVerdict(verdict, before, need, countText);
    if (attempt >= PATIENCE.rejections) throw new SummaryError(verdict.code, verdict.why);
    asked = { ...asked, rejected: verdict.why, ...(FORM_FAULTS.has(verdict.code) ? { plain: true } : {}) };
  }
}

/** An answer with one of these faults could not keep to the form: the next is asked for less of it. */
const FORM_FAULTS: ReadonlySet<string> = new Set(['chat-continuation', 'echo', 'empty', 'error-text', 'refusal']);

function takeVerdict(
  { text, flagged }: Extract<Verdict, { type: 'accepted' }>,
  before: Before,
  need: SummaryNeed,
  countText: (text: string) => number,
): Written {
  const update = updateStatements(before, text, need, countText);
  if (update === undefined) return { text, flagged };
  return {
    text: writeItems(update.items, update.left),
    flagged: [...(before.flagged ?? []), ...flagged],
    statements: update,
  };
}

/** What the last answer was to bring up to date: the summary before, and what earlier parts have made of it. */
interface Before extends Pick<SummaryAsk, 'previous' | 'updates'>, Pick<SummaryNeed, 'statements'> {
  readonly past?: Pick<ItemUpdate, 'retired' | 'aged'>;
  readonly flagged?: readonly string[];
}

/** The statements with what an answer says of them; undefined where the summary is not made of any. */
function updateStatements(
  { statements, past }: Before,
  text: string,
  { source, template, mostTokens }: SummaryNeed,
  countText: (text: string) => number,
): ItemUpdate | undefined {
  if (statements === undefined || template === undefined) return undefined;
  const changed = updateItems(statements, text, source, template);
  const update = fitItems(changed, roomAfter(text, statements, mostTokens, countText), countText, template);
  const { retired = [], aged = [] } = past ?? {};
  return { ...update, retired: [...retired, ...update.retired], aged: [...aged, ...update.aged] };
}

/** What was paid for just now is not left out for want of room, nor does it drive out all that stood before. */
const roomAfter = (text: string, { room }: ItemBase, most: number, countText: (text: string) => number): number =>
  Math.max(room, Math.min(most, countText(text) + room / 2));

interface Answered {
  readonly answer: SummaryAnswer;
  readonly before: Before;
}

const readBefore = ({ previous, statements }: SummaryNeed): Before => ({
  ...(previous === undefined ? {} : { previous }),
  ...(statements === undefined ? {} : { statements, updates: statements.items.length > 0 }),
});

const isTooLong = (error: unknown): boolean => error instanceof SummaryError && error.code === 'too-long';

/** The live prefix where it fits the summarizer; else the span alone, shrunk or in parts. */
async function requestAnswer(
  need: SummaryNeed,
  asked: SummaryAsk,
  options: SummarizeOptions,
  call: Call,
): Promise<Answered> {
  const { summarizer, countText } = options;
  const before = readBefore(need);
  const request = requestText(askUpdate(asked, before));
  const room = summarizer.window - outputRoomFor(asked) - countText(request) - 64;
  if (summarizer.sharesPrefix === true && need.liveTokens <= room && need.opening !== undefined) {
    try {
      // The earlier summary stands in the conversation itself.
      const { previous: _, ...update } = askUpdate(asked, before);
      return { answer: await call(askBehindPrefix(need.live, { ...update, opening: need.opening })), before };
    } catch (error) {
      if (!isTooLong(error)) throw error;
    }
  }
  let allowed = room;
  for (let shrinks = 0; ; shrinks++) {
    try {
      return await summarizeInParts(need, asked, allowed, options, call);
    } catch (error) {
      if (!isTooLong(error) || shrinks >= PATIENCE.shrinks) throw error;
      // Where the summarizer's window is smaller than stated, half of it may still hold all that was refused.
      allowed = Math.floor(Math.min(allowed, countSpan(need.span, countText)) * PATIENCE.shrink);
    }
  }
}

const askUpdate = (asked: SummaryAsk, { previous, updates }: Before): SummaryAsk => ({
  ...asked,
  ...(previous === undefined ? {} : { previous }),
  ...(updates === undefined ? {} : { updates }),
});

/** Whole rounds, as many as fit, one request after the other; each brings the summary so far up to date. */
async function summarizeInParts(
  need: SummaryNeed,
  asked: SummaryAsk,
  allowed: number,
  { countText }: SummarizeOptions,
  call: Call,
): Promise<Answered> {
  if (allowed < 256) throw new SummaryError('too-long', 'the request itself does not fit the summarizer');
  const chunks = splitSpan(need.span, allowed, countText);
  // More parts than can be afforded: the oldest go; the evidence that code carries covers them.
  const [first = [], ...others] = chunks.slice(-Math.max(1, PATIENCE.calls - 2));
  let before = readBefore(need);
  let answer = await call(askStandAlone(first, askUpdate(asked, before)));
  for (const chunk of others) {
    if (answer.stop !== 'end') break;
    before = bringUpToDate(before, answer, need, countText);
    answer = await call(askStandAlone(chunk, askUpdate(asked, before)));
  }
  return { answer, before };
}

/** The summary so far, with what one part's answer says. Of statements only those that are believed come in. */
function bringUpToDate(
  before: Before,
  answer: SummaryAnswer,
  need: SummaryNeed,
  countText: (text: string) => number,
): Before {
  if (before.statements === undefined) return { previous: answer.text };
  const verdict = judge(answer, { ...need, ...before, countText });
  const update = verdict.type === 'accepted' ? updateStatements(before, verdict.text, need, countText) : undefined;
  if (verdict.type !== 'accepted' || update === undefined) return before;
  const { items, left, lastItem, ...past } = update;
  return {
    statements: { ...before.statements, items, lastItem, ...(left === undefined ? {} : { left }) },
    ...(items.length === 0 ? {} : { previous: writeItems(items, left) }),
    updates: items.length > 0,
    past,
    flagged: [...(before.flagged ?? []), ...verdict.flagged],
  };
}

function sumUsage(all: readonly Usage[]): Usage {
  const sum = (key: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    all.reduce((value, usage) => value + (asNumber(usage[key]) ?? 0), 0);
  return { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
}
