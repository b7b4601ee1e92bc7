import type { Fact } from '../ledger/ledger.ts';
import { type SummaryNeed, summarize } from '../summary/summarize.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { walk } from '../walk/walk.ts';
import { layersNow, MOST_FAILURES, pauseReason, readBudget, stateCircumstances } from './circumstances-now.ts';
import { noteEntry, type SessionState } from './session-state.ts';
import { wordsOfError } from './settle.ts';

/** From this share of the trigger on a summary is drafted; it is thought about again every 5 % of the way. */
const DRAFT_FROM = 0.7;
const DRAFT_STEPS = 20;

/** Prepares summaries ahead, one at a time, while the agent works. A draft is a fact about a prefix; it hides nothing. */
export interface SummaryAhead {
  /** Drafts the summary that would be asked for if the trigger fired now, where it is time to. */
  prepare(tokens: number, now: number | undefined): void;
  /** The one under way, if any. Never rejects. */
  readonly underWay: Promise<void> | undefined;
  stop(): void;
}

export function newSummaryAhead(session: SessionState): SummaryAhead {
  const { summarizer } = session.ports;
  let underWay: Promise<void> | undefined;
  let abort: AbortController | undefined;
  let lastStep = -1;
  return {
    prepare(tokens, now) {
      const step = Math.floor((tokens / session.budget.trigger) * DRAFT_STEPS);
      if (summarizer === undefined || underWay !== undefined || step === lastStep || !isTime(session, tokens)) return;
      lastStep = step;
      const need = findSummaryNeed(session, tokens, now);
      if (need === undefined) return;
      abort = new AbortController();
      underWay = draftSummary(session, summarizer, need, abort.signal).finally(() => {
        underWay = undefined;
      });
    },
    get underWay() {
      return underWay;
    },
    stop() {
      abort?.abort();
    },
  };
}

const isTime = (session: SessionState, tokens: number): boolean =>
  session.options.drafts !== false &&
  pauseReason(session) === undefined &&
  session.view.drafts.length === 0 &&
  session.view.failures < MOST_FAILURES &&
  tokens >= session.budget.trigger * DRAFT_FROM;

/** If the trigger fired now, which summary would be asked for? */
function findSummaryNeed(session: SessionState, tokens: number, now: number | undefined): SummaryNeed | undefined {
  const known = readBudget(session);
  const budget = { ...known, trigger: Math.min(known.trigger, tokens) };
  const given = stateCircumstances(session, budget, 'auto', {}, now);
  const alone = new Set([...given.can].filter((ability) => ability === 'summary'));
  const made = walk(session.view, layersNow(session), { ...given, can: alone }, session.reading);
  session.reading = made.reading;
  return made.needs.find((need) => need.type === 'summary');
}

async function draftSummary(
  session: SessionState,
  summarizer: Summarizer,
  need: SummaryNeed,
  signal: AbortSignal,
): Promise<void> {
  const { countText, ports } = session;
  let fact: Fact;
  try {
    fact = await summarize(need, { summarizer, clock: ports.clock, signal, countText });
  } catch (error) {
    fact = { type: 'failed', key: need.key, need: 'summary', code: 'failed', why: wordsOfError(error) };
  }
  if (signal.aborted) return;
  const { to, after } = need;
  if (fact.type === 'summary')
    noteEntry(session, { type: 'draft', draft: { upTo: to, fact, ...(after === undefined ? {} : { after }) } });
  else noteEntry(session, { type: 'fact', fact });
}
