import type { EditsEntry, Fact } from '../ledger/ledger.ts';
import type { BeforeAnswer } from '../summary/hooks.ts';
import { MOST_FAILURES } from './circumstances-now.ts';
import { noteEntry, type SessionState } from './session-state.ts';

/** Notes what ports answered, as far as it is worth keeping, and tells of what they said or failed to. */
export function noteFacts(session: SessionState, facts: readonly Fact[], made: readonly EditsEntry[]): void {
  for (const fact of facts) {
    tellSpending(session, fact, 'asked');
    // What was paid for and is not in the walk would else be in no ledger.
    if (fact.type === 'summary' && !isUsed(fact, made)) noteEntry(session, { type: 'fact', fact });
    if (fact.type === 'hooked') {
      session.hooked = takeWishes(fact);
      if (fact.message !== undefined) session.emit({ type: 'hook-spoke', message: fact.message });
    }
    if (fact.type === 'failed') noteFailure(session, fact);
  }
}

const isUsed = ({ text }: Extract<Fact, { type: 'summary' }>, made: readonly EditsEntry[]): boolean =>
  made.some(({ edits }) => edits.some((edit) => edit.type === 'fold' && edit.summary?.narrative === text));

/** Tells what a summary has cost, whatever came of it. */
export function tellSpending({ emit }: SessionState, fact: Fact, how: 'asked' | 'draft'): void {
  if (fact.type !== 'summary' && fact.type !== 'failed') return;
  const { calls = 0, usage = {}, cost } = fact;
  if (calls === 0) return;
  const outcome = fact.type === 'summary' ? 'written' : 'failed';
  emit({ type: 'summary-paid', how, outcome, calls, usage: { ...usage }, ...(cost === undefined ? {} : { cost }) });
}

const takeWishes = ({ instructions, prompt }: BeforeAnswer): SessionState['hooked'] => ({
  ...(instructions === undefined ? {} : { instructions }),
  ...(prompt === undefined ? {} : { prompt }),
});

/** Notes that a need was not met, and tells so: also of what nobody waited for. */
export function noteFailure(session: SessionState, fact: Extract<Fact, { type: 'failed' }>): void {
  const { need, key, code, why } = fact;
  noteEntry(session, { type: 'fact', fact });
  session.emit({ type: 'need-failed', need, key, code, why });
  if (need === 'summary' && session.view.failures === MOST_FAILURES)
    session.emit({ type: 'automatic-stopped', reason: 'summarizer-failed' });
}
