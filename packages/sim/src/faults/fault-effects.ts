import type { Problem } from '../api/problem.ts';
import type { SimUsage } from '../api/usage.ts';
import type { Vendor } from '../models.ts';
import { pick } from '../random.ts';
import type { FaultKind } from './fault-schedule.ts';

const WORDS: Readonly<Record<Vendor, Readonly<Record<'limited' | 'overloaded' | 'error', Partial<Problem>>>>> = {
  anthropic: {
    limited: { message: "This request would exceed your organization's rate limit of 50,000 input tokens per minute." },
    overloaded: { status: 529, message: 'Overloaded' },
    error: { message: 'Internal server error' },
  },
  openai: {
    limited: {
      message: 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29500, Requested 900.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    overloaded: { status: 503, message: 'The server is currently overloaded with other requests.' },
    error: { message: 'The server had an error while processing your request.' },
  },
  google: {
    limited: { message: 'Resource has been exhausted (e.g. check quota).' },
    overloaded: { status: 503, message: 'The model is overloaded. Please try again later.' },
    error: { message: 'An internal error has occurred. Please retry.' },
  },
};

/** The vendor's own form of a fault that refuses the request; undefined for faults of another kind. */
export function refuseByFault(kind: FaultKind | undefined, vendor: Vendor, retryAfterMs: number): Problem | undefined {
  const base = { path: '', rule: 'fault', message: '' };
  if (kind === 'rate-limited') return { ...base, status: 429, retryAfterMs, ...WORDS[vendor].limited };
  if (kind === 'overloaded') return { ...base, status: 529, ...WORDS[vendor].overloaded };
  if (kind === 'server-error') return { ...base, status: 500, ...WORDS[vendor].error };
  return undefined;
}

/** What a provider or a gateway in front of it may say instead of the truth. */
export function falsifyUsage(
  usage: SimUsage,
  kind: FaultKind | undefined,
  seed: number,
  n: number,
): SimUsage | undefined {
  if (kind === 'missing-usage') return undefined;
  if (kind !== 'wrong-usage') return usage;
  const factor = pick([0, 0.1, 10], seed, n, 'usage');
  const scale = (tokens: number): number => Math.round(tokens * factor);
  return {
    ...usage,
    input: scale(usage.input),
    cacheRead: scale(usage.cacheRead),
    cacheWrite: scale(usage.cacheWrite),
    cacheWriteHour: scale(usage.cacheWriteHour),
  };
}
