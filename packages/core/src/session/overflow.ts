import { CompactionError } from '../errors.ts';
import { findRules } from '../presets/find-rules.ts';
import { halveTokens } from '../size/beside-overhead.ts';
import { type Budget, forceBudget } from '../size/budget.ts';
import { mediaBytesOf } from '../size/estimate-message.ts';
import { addRefused } from '../size/window-clues.ts';
import { readBudget } from './circumstances-now.ts';
import { isWindow, learnWindow, noteClues } from './learn-window.ts';
import { leaveForAnswer, makeView } from './make-view.ts';
import { estimateNow, measureNow, type SessionState } from './session-state.ts';
import type { View, ViewOptions } from './session-types.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** So many of the last messages stay when a provider refused the request, at most: where turns stay otherwise too, of those. */
const OVERFLOW_KEEPS = 5;

/** What a provider said as it refused a view as too long: the most it takes, and what it counted. */
export interface Refusal {
  readonly maximum?: number | undefined;
  readonly actual?: number | undefined;
}

/**
 * A view of half the size at most, after the provider refused the newest one; an error where that has been tried enough in
 * this turn of the user's.
 */
export async function makeSmallerView(
  session: SessionState,
  ahead: SummaryAhead,
  refusal: Refusal,
  options: ViewOptions,
): Promise<View> {
  session.isRefused = true;
  const answer = leaveForAnswer(session, measureNow(session));
  learnWindow(session, refusal.maximum);
  const { overflow } = findRules(session.layers);
  if (!session.budget.enabled) throw disabledError(session, 'compaction', 'PALIMPSEST_DISABLE');
  if (overflow?.automaticOnly === true && !session.budget.automatic)
    throw disabledError(session, 'automatic compaction', 'PALIMPSEST_DISABLE_AUTO', ', or call compact()');
  noteRefused(session, refusal);
  if (session.overflows >= Math.min(3, session.options.overflowTries ?? 1))
    throw new CompactionError(
      'cannot-reduce',
      `the provider refused ${session.overflows + 1} views in a row as too long, the last of about ${measureNow(session)} tokens. State the right window, or shorten system prompt and tools. The user's next message is tried anew.`,
    );
  const [tokens, bytes] = [measureNow(session), session.view.sizes.bytes];
  const view = await makeView(session, ahead, {
    ...options,
    budget: smallerBudget(session, refusal),
    trigger: 'overflow',
    asked: { keepMessages: OVERFLOW_KEEPS },
  });
  // A try that was aborted, or that the journal did not take, is none.
  session.overflows++;
  // A provider counts the answer that is asked for too: in a window just learned, less of it may be all that is needed.
  session.isRefused = view.tokens >= tokens && session.view.sizes.bytes >= bytes && view.maxOutput >= answer;
  if (session.isRefused)
    throw new CompactionError('cannot-reduce', `nothing more can be hidden: ${view.tokens} tokens are indivisible.`);
  return view;
}

/** What the provider counted beyond this is no matter of tokenizers: it is pictures or documents that were taken for less. */
const MOST_TO_ESTIMATE = 1 / 0.7;
/** Bytes are brought to three quarters of their limit: so they are halved. */
const BYTES_LIMIT = 2 / 3;

/** Half of what can be compacted, in tokens; in bytes too, where pictures and documents are to blame. */
function smallerBudget(session: SessionState, { actual }: Refusal): Budget {
  const tokens = measureNow(session);
  const budget = includeLargeHead(readBudget(session), tokens);
  const { overhead = 0, limits } = budget;
  const counted = actual !== undefined && actual > tokens ? actual : tokens;
  const blamed = isMediaBlamed(session, { actual });
  const scale = blamed ? 1 : tokens / counted;
  const half = Math.min(budget.target, halveTokens(tokens, budget));
  // Where the target is what the overhead leaves unreachable, half of the rest is still less.
  const target = overhead + Math.floor(Math.max(0, half - overhead) * scale);
  const forced = forceBudget(budget, target);
  if (!blamed) return forced;
  const bytes = Math.floor((session.view.sizes.bytes + session.overhead.bytes) * BYTES_LIMIT);
  return { ...forced, limits: { ...limits, bytes: Math.min(limits.bytes ?? Infinity, bytes) } };
}

/** Where the head is more than all that follows it, it must be cut too: without it the view would hardly be smaller. */
function includeLargeHead(budget: Budget, tokens: number): Budget {
  const { overhead = 0, head = 0 } = budget;
  return tokens - overhead < head ? { ...budget, overhead: overhead - head, head: 0 } : budget;
}

/**
 * What a refusal shows of a window that it does not state. While nothing compacts by itself nobody keeps below it, and views
 * would be blocked by a guess.
 */
function noteRefused(session: SessionState, refusal: Refusal): void {
  if (isWindow(refusal.maximum) || !session.budget.automatic || isMediaBlamed(session, refusal)) return;
  noteClues(session, addRefused(session.clues, measureNow(session), estimateNow(session)));
}

/** Whether it may be the bytes of pictures and documents that were refused, or tokens of theirs that nobody foresaw. */
function isMediaBlamed(session: SessionState, { actual }: Refusal): boolean {
  return isMostlyMedia(session) && (actual === undefined || actual > measureNow(session) * MOST_TO_ESTIMATE);
}

/** Whether pictures, documents and sounds are most of the request's bytes: its size may be what was refused. */
function isMostlyMedia({ view, overhead }: SessionState): boolean {
  const bytes = view.slots.reduce((sum, slot) => sum + mediaBytesOf(slot.message), 0);
  return bytes > (view.sizes.bytes + overhead.bytes) / 2;
}

const disabledError = (session: SessionState, what: string, by: string, otherwise = ''): CompactionError =>
  new CompactionError(
    'blocked',
    `the provider refused a context of about ${measureNow(session)} tokens as too long, and ${what} is switched off (${by}); switch it on first${otherwise}.`,
  );

/** The error of a view that is over the blocking limit while nothing may compact it. */
export const blockedError = (session: SessionState): CompactionError =>
  new CompactionError(
    'blocked',
    `the context has ${measureNow(session)} tokens and the limit is ${session.budget.blocking}, with automatic compaction off. Call compact(), or switch it on.`,
  );
