import type { Fact } from '../ledger/ledger.ts';
import { MOST_FAILURES } from './circumstances-now.ts';
import { noteEntry, type SessionState } from './session-state.ts';

/** Notes what ports answered, as far as it is worth keeping, and tells of what they said or failed to. */
export function noteFacts(session: SessionState, facts: Iterable<Fact>): void {
  for (const fact of facts) {
    if (fact.type === 'hooked') {
      session.hookInstructions = fact.instructions;
      if (fact.message !== undefined) session.emit({ type: 'hook-spoke', message: fact.message });
    }
    if (fact.type === 'failed') noteFailure(session, fact);
  }
}

/** Notes that a need was not met, and tells so: also of what nobody waited for. */
export function noteFailure(session: SessionState, fact: Extract<Fact, { type: 'failed' }>): void {
  const { need, key, code, why } = fact;
  noteEntry(session, { type: 'fact', fact });
  session.emit({ type: 'need-failed', need, key, code, why });
  if (need === 'summary' && session.view.failures === MOST_FAILURES)
    session.emit({ type: 'automatic-stopped', reason: 'summarizer-failed' });
}
