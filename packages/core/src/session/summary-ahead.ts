import type { Fact } from '../ledger/ledger.ts';
import { awaitAnswer, codeOfError, wordsOfError } from '../summary/await-answer.ts';
import type { SummaryNeed } from '../summary/summarize.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import type { Need } from '../view/need.ts';
import { askSummary } from './ask-summary.ts';
import { layersNow, MOST_FAILURES, pauseReason, readBudget, stateCircumstances } from './circumstances-now.ts';
import { noteFailure, tellSpending } from './note-facts.ts';
import { noteEntry, type SessionState, waysToSettle } from './session-state.ts';
import { walkSession } from './walk-session.ts';

/** A summary is drafted at this share of the way from the last compaction to the trigger; it is thought about again every 5 %. */
const DRAFT_FROM = 0.7;
const DRAFT_STEPS = 20;

/** Prepares summaries ahead, one at a time, while the agent works. A draft is a fact about a prefix; it hides nothing. */
export interface SummaryAhead {
  /** Drafts the summary that would be asked for if the trigger fired now, where it is time to. */
  prepare(tokens: number, now: number | undefined): void;
  /** The one under way, if any. Never rejects. */
  readonly underWay: Promise<void> | undefined;
  /** Waits for the one under way. Whoever gives up on it stops it: it rejects with the signal's reason then. */
  awaitDraft(signal: AbortSignal | undefined): Promise<void>;
  stop(): void;
}

export function newSummaryAhead(session: SessionState): SummaryAhead {
  let underWay: Promise<void> | undefined;
  let abort: AbortController | undefined;
  let lastStep = '';
  const stop = (): void => abort?.abort();
  return {
    prepare(tokens, now) {
      const { summarizer } = session.ports;
      const budget = readBudget(session);
      const start = sizeAfterCompaction(session);
      const way = (tokens - start) / (budget.trigger - start);
      const step = `${start} ${Math.floor(way * DRAFT_STEPS)}`;
      if (summarizer === undefined || underWay !== undefined || step === lastStep) return;
      if (way < DRAFT_FROM || !mayDraft(session)) return;
      // A dry walk would write all of a digest to find out that nobody is asked.
      if (layersNow(session).some(({ sparesModel }) => sparesModel?.(budget) === true)) return;
      lastStep = step;
      abort = new AbortController();
      const { signal } = abort;
      const found = findSummaryNeed(session, tokens, now);
      if (found === undefined) return;
      underWay = draftSummary(session, summarizer, found, signal).finally(() => {
        underWay = undefined;
      });
    },
    get underWay() {
      return underWay;
    },
    async awaitDraft(signal) {
      if (underWay === undefined) return;
      try {
        // It has a deadline of its own, and never rejects: what is thrown here is the abort.
        await awaitAnswer(() => underWay, { signal, limitMs: Infinity });
      } catch (error) {
        stop();
        throw error;
      }
    },
    stop,
  };
}

const mayDraft = (session: SessionState): boolean =>
  session.options.drafts !== false &&
  pauseReason(session) === undefined &&
  session.view.drafts.length === 0 &&
  session.view.failures < MOST_FAILURES &&
  !session.owed.isOwedBy('summary');

/** What the last compaction left: a draft that begins right behind it covers little more than it did. */
function sizeAfterCompaction({ view }: SessionState): number {
  const last = view.entries.findLast((entry) => entry.type === 'edits' && entry.pressed);
  return last?.type === 'edits' ? last.tokensAfter : 0;
}

/**
 * If the trigger fired now, which summary would be asked for? Whatever is cheaper acts first: texts count as stashed where they
 * can be, and the hook as saying what it said last.
 */
function findSummaryNeed(session: SessionState, tokens: number, now: number | undefined): SummaryNeed | undefined {
  const { hooked } = session;
  const isHeard = Object.keys(hooked).length > 0;
  const known = readBudget(session);
  const budget = { ...known, trigger: Math.min(known.trigger, tokens) };
  const given = stateCircumstances(session, budget, 'auto', {}, now);
  const can = new Set([...given.can].filter((ability) => ability !== 'carry' && (ability !== 'hooks' || isHeard)));
  const facts = new Map<string, Fact>();
  for (;;) {
    const made = walkSession(session, layersNow(session), { ...given, can, facts });
    const assumed = made.needs.flatMap((need) => assumeFact(need, hooked)).filter(({ key }) => !facts.has(key));
    if (assumed.length === 0) return made.needs.find((need) => need.type === 'summary');
    for (const fact of assumed) facts.set(fact.key, fact);
  }
}

/** What is taken for granted in a dry walk. */
const assumeFact = ({ type, key }: Need, hooked: SessionState['hooked']): readonly Fact[] =>
  type === 'hooks'
    ? [{ type: 'hooked', key, ...hooked }]
    : type === 'stash'
      ? [{ type: 'stashed', key, ref: key }]
      : [];

async function draftSummary(
  session: SessionState,
  summarizer: Summarizer,
  need: SummaryNeed,
  signal: AbortSignal,
): Promise<void> {
  const { ports } = session;
  let fact: Fact;
  try {
    fact = await askSummary(need, summarizer, ports, { ...waysToSettle(session), signal });
  } catch (error) {
    fact = { type: 'failed', key: need.key, need: 'summary', code: codeOfError(error), why: wordsOfError(error) };
  }
  if (signal.aborted) return;
  const { to, after, instructions, prompt } = need;
  tellSpending(session, fact, 'draft');
  if (fact.type === 'failed') noteFailure(session, fact);
  if (fact.type !== 'summary') return;
  const draft = {
    upTo: to,
    fact,
    ...(after === undefined ? {} : { after }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  noteEntry(session, { type: 'draft', draft });
}
