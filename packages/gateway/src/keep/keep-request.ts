import { setTimeout as sleep } from 'node:timers/promises';
import { CompactionError, type PresetName } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';
import type { Keeper, KeepRequest, KeptRequest } from '@palimpsest/sdk/keeper';
import type { ApiName } from '@palimpsest/wire';
import type { Breaker } from './breaker.ts';

/** A body that is to be kept, and whose it is. */
export interface ToKeep {
  readonly api: ApiName;
  readonly body: object;
  readonly model: string;
  readonly tenant: string;
  readonly id: string | undefined;
  readonly window: number;
  readonly preset: PresetName | undefined;
  readonly canRecall: boolean;
  readonly betas: string | undefined;
  readonly credentials: unknown;
  readonly signal: AbortSignal;
}

/** What came of it. `why`: the body goes as it came, since something inside went wrong. */
export type KeepOutcome = { readonly kept: KeptRequest | undefined } | { readonly why: string };

export interface KeepTools {
  readonly keeper: Keeper;
  readonly breaker: Breaker;
  readonly patienceMs: number;
  /** Where to pass a body on would help nobody: it is too long as it came. */
  readonly longPatienceMs?: number;
}

/** Whatever goes wrong in here, the request goes on. */
export async function keepRequest({ keeper, breaker, patienceMs }: KeepTools, asked: ToKeep): Promise<KeepOutcome> {
  if (!breaker.allows()) return { why: 'what keeps conversations rests after failures' };
  const late = new AbortController();
  const done = new AbortController();
  const { api, betas, signal, ...rest } = asked;
  const request: KeepRequest = {
    ...rest,
    wire: api,
    ...(betas === undefined ? {} : { headers: { 'anthropic-beta': betas } }),
    signal: AbortSignal.any([signal, late.signal]),
  };
  const timer = sleep(patienceMs, 'late' as const, { signal: done.signal }).catch(() => 'late' as const);
  try {
    const kept = await Promise.race([keeper.keep(request), timer]);
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

/** What one request brought about itself, a body that is too deep or a bug that it met: no reason for others to go without. */
const isOfRequest = (error: unknown): boolean =>
  error instanceof CompactionError ? error.code !== 'journal-failed' : BUGS.some((type) => error instanceof type);

const BUGS = [RangeError, TypeError, SyntaxError, ReferenceError];

/** A code and no message: what failed inside may have the conversation in its words. */
export function describeFailure(error: unknown): string {
  return `it failed inside (${nameError(error)})`;
}

function nameError(error: unknown): string {
  const { code, name, cause } = asFields(error);
  const own = asString(code) ?? (error instanceof Error ? error.name : asString(name)) ?? 'error';
  return cause === undefined ? own : `${own}: ${nameError(cause)}`;
}
