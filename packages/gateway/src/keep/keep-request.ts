import { setTimeout as sleep } from 'node:timers/promises';
import type { CompactionError } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';
import type { Breaker } from './breaker.ts';
import { isThreadLost } from './open-body.ts';

/** How long keeping may take, and what keeps it from being tried in vain. */
export interface KeepLimits {
  readonly breaker: Breaker;
  readonly patienceMs: number;
  /** Where to pass a body on would help nobody: it is too long as it came. */
  readonly longPatienceMs?: number;
}

/** What came of it. `why`: the body goes as it came, since something inside went wrong. */
export type KeepOutcome<Kept> = { readonly kept: Kept } | { readonly why: string };

/** Whatever goes wrong in here, the request goes on. */
export async function keepRequest<Kept>(
  { breaker, patienceMs }: KeepLimits,
  signal: AbortSignal,
  keep: (signal: AbortSignal) => Promise<Kept>,
): Promise<KeepOutcome<Kept>> {
  if (!breaker.allows()) return { why: 'what keeps conversations rests after failures' };
  const late = new AbortController();
  const done = new AbortController();
  const timer = sleep(patienceMs, 'late' as const, { signal: done.signal }).catch(() => 'late' as const);
  try {
    const kept = await Promise.race([keep(AbortSignal.any([signal, late.signal])), timer]);
    if (kept !== 'late') {
      breaker.note('good');
      return { kept };
    }
    late.abort();
    breaker.note('bad');
    return { why: `it took longer than ${patienceMs} ms` };
  } catch (error) {
    signal.throwIfAborted();
    if (!isOfRequest(error)) breaker.note('bad');
    return { why: describeFailure(error) };
  } finally {
    // What was kept lives on: after a refusal a smaller body is asked of it under the same signal.
    done.abort();
  }
}

/**
 * What one request brought about itself, a body that is too deep or a bug that it met: no reason for others to go without. Nor is a thread
 * that ended, which has a successor. Errors of another thread have a name and no class.
 */
function isOfRequest(error: unknown): boolean {
  const { name, code } = asFields(error);
  const journalFailed: CompactionError['code'] = 'journal-failed';
  return isThreadLost(error) || (name === 'CompactionError' ? code !== journalFailed : BUGS.includes(String(name)));
}

const BUGS = ['RangeError', 'TypeError', 'SyntaxError', 'ReferenceError'];

/** A code and no message: what failed inside may have the conversation in its words. */
export function describeFailure(error: unknown): string {
  return `it failed inside (${nameError(error)})`;
}

function nameError(error: unknown): string {
  const { code, name, cause } = asFields(error);
  const own = asString(code) ?? (error instanceof Error ? error.name : asString(name)) ?? 'error';
  return cause === undefined ? own : `${own}: ${nameError(cause)}`;
}
