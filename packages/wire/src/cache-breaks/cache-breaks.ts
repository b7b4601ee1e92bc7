import type { SessionEvent } from '@palimpsest/core';
import { countCleared } from './count-cleared.ts';
import { layOut, type RequestLayout, TTL_MS } from './request-layout.ts';

/** One request of a conversation and what the provider said about its cache. */
export interface CachedRequest {
  /** The wire's name. Where it is not known, no more than what was read and written is taken to be in the cache. */
  readonly api?: string;
  /** Where it is not known, only time explains a break. */
  readonly body?: unknown;
  /** Gemini names the model in its path. */
  readonly model?: string;
  /** Milliseconds. */
  readonly at?: number | undefined;
  /** As reported. Where nothing was, no break can be seen. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly input?: number | undefined;
  /** A compaction was declared before this request, so that the drop is meant. */
  readonly compacted?: boolean;
}

/** What changed between two requests; `ttl`: nothing but the time. `unknown`: the provider let the entry go by itself. */
export type CacheBreakCause = 'model' | 'tools' | 'system' | 'messages' | 'options' | 'ttl' | 'breakpoints' | 'unknown';

/** A request that read over 2,000 tokens and 5 % less from the cache than the one before had left there. */
export interface CacheBreak {
  readonly type: CacheBreakCause;
  /** For `messages`: the first message that is not the one sent before. For `tools`: the first such tool. */
  readonly index?: number;
  /** Tokens that could have been read and were not. */
  readonly lost: number;
  readonly message: string;
}

/** Caches serve whole blocks, so reads waver by less; no one would look for the cause. */
const LEAST_SHARE = 0.05;
const LEAST_TOKENS = 2_000;
/** So many blocks before a breakpoint the provider looks for an entry. */
const LOOK_BACK = 20;

/** Watches a conversation of any host, also against a real provider. */
export interface CacheBreaks {
  /** Tells the break, if this request of the conversation was one. */
  observe(sent: CachedRequest): CacheBreak | undefined;
  /** A session's event, for its `on`: what a compaction changed is no break of the next request. */
  hear(event: SessionEvent): void;
}

/** Watches one conversation. */
export function cacheBreaks(): CacheBreaks {
  let last: CachedRequest | undefined;
  let compacted = false;
  return {
    observe(sent) {
      compacted ||= sent.compacted === true;
      const found = last === undefined || compacted ? undefined : cacheBreak(last, sent);
      // A request that failed or said nothing tells nothing about the next one, but that a compaction was declared.
      if (sent.cacheRead === undefined && sent.input === undefined) return found;
      last = sent;
      compacted = false;
      return found;
    },
    hear(event) {
      if (event.type === 'walk-reverted' || (event.type === 'view-compacted' && event.receipt.declared))
        compacted = true;
    },
  };
}

/** Compares two requests that follow each other. */
export function cacheBreak(before: CachedRequest, now: CachedRequest): CacheBreak | undefined {
  if (now.compacted === true || now.cacheRead === undefined || clearsOtherwise(before, now)) return undefined;
  // A request cannot read more than it holds: one that went back to an earlier point has less to read.
  const size = now.input === undefined ? Infinity : now.cacheRead + (now.cacheWrite ?? 0) + now.input;
  const there = Math.min(countCached(before), size);
  const lost = there - now.cacheRead;
  if (lost <= LEAST_TOKENS || lost < there * LEAST_SHARE) return undefined;
  return { ...findCause(before, now), lost };
}

/** Whether the provider was asked to clear more results than before, or less: that drop is meant too. */
const clearsOtherwise = (before: CachedRequest, now: CachedRequest): boolean =>
  before.body !== undefined && now.body !== undefined && countCleared(before.body) !== countCleared(now.body);

type Cause = Omit<CacheBreak, 'lost'>;

/** Anthropic keeps what was read and written; where caching is implicit, all of the prompt. */
const countCached = ({ api = 'anthropic-messages', cacheRead = 0, cacheWrite = 0, input = 0 }: CachedRequest): number =>
  cacheRead + cacheWrite + (api === 'anthropic-messages' ? 0 : input);

function findCause(before: CachedRequest, now: CachedRequest): Cause {
  const passedMs = before.at === undefined || now.at === undefined ? 0 : now.at - before.at;
  if (before.body === undefined || now.body === undefined)
    return explainByTime(passedMs, TTL_MS['5m']) ?? explainByNothing();
  const old = layOut(before.body, before.model);
  const fresh = layOut(now.body, now.model);
  return (
    explainByHead(old, fresh) ??
    explainByMessages(old, fresh, passedMs >= old.ttlMs && now.cacheRead === 0) ??
    explainByOptions(old, fresh) ??
    explainByTime(passedMs, old.ttlMs) ??
    (now.api === 'anthropic-messages' ? explainByBreakpoints(old, fresh) : undefined) ??
    explainByNothing()
  );
}

/** What stands before the messages, in the order in which caches read it. */
function explainByHead(old: RequestLayout, fresh: RequestLayout): Cause | undefined {
  if (old.model !== fresh.model)
    return { type: 'model', message: `the model changed from ${old.model} to ${fresh.model}` };
  const tool = findChange(old.tools, fresh.tools);
  if (tool !== undefined)
    return {
      type: 'tools',
      index: tool,
      message: `the tools changed at ${tool} (${fresh.toolNames[tool] ?? 'removed'})`,
    };
  return old.system === fresh.system ? undefined : { type: 'system', message: 'the system prompt changed' };
}

/** More messages at the end change nothing. What stands before a change would still have been read, had time not passed. */
function explainByMessages(old: RequestLayout, fresh: RequestLayout, isGone: boolean): Cause | undefined {
  const index = findChange(old.messages, fresh.messages.slice(0, old.messages.length));
  if (index === undefined || (isGone && index > 0)) return undefined;
  return {
    type: 'messages',
    index,
    message: `the messages changed at ${index} of ${old.messages.length}; nobody declared a compaction`,
  };
}

const explainByOptions = (old: RequestLayout, fresh: RequestLayout): Cause | undefined =>
  old.options === fresh.options
    ? undefined
    : { type: 'options', message: 'options that change the prompt (tool choice, thinking, cache key) changed' };

const explainByTime = (passedMs: number, ttlMs: number): Cause | undefined =>
  passedMs < ttlMs
    ? undefined
    : {
        type: 'ttl',
        message: `${Math.round(passedMs / 1000)} seconds passed; the cache is kept for ${ttlMs / 1000}`,
      };

function explainByBreakpoints({ marks: old }: RequestLayout, { marks: fresh }: RequestLayout): Cause | undefined {
  if (fresh.length === 0) return { type: 'breakpoints', message: 'the request has no cache breakpoint' };
  if (fresh.some((mark) => old.some((other) => mark >= other && mark - other < LOOK_BACK))) return undefined;
  return {
    type: 'breakpoints',
    message: `no breakpoint stands within ${LOOK_BACK} blocks behind one of the request before`,
  };
}

const explainByNothing = (): Cause => ({
  type: 'unknown',
  message: 'nothing in the requests explains it; the provider let the entry go',
});

/** The first place where two lists differ, the end of the shorter one included. */
function findChange(old: readonly string[], fresh: readonly string[]): number | undefined {
  const shared = Math.min(old.length, fresh.length);
  for (let i = 0; i < shared; i++) if (old[i] !== fresh[i]) return i;
  return old.length === fresh.length ? undefined : shared;
}
