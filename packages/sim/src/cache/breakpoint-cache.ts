import { makePrefixes, type Segment, type Ttl } from '../prompt/prompt.ts';
import type { CacheOutcome } from './cache-outcome.ts';

/** Positions that a breakpoint looks at, itself among them. */
const LOOK_BACK = 20;
const TTL_MS: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

interface Entry {
  readonly ttlMs: number;
  expires: number;
}

export interface BreakpointCache {
  /** Looks up and keeps a prompt. `salt` is what the cache is kept apart by: key, model, options that change it. */
  serve(segments: readonly Segment[], salt: string, minimum: number, now: number): CacheOutcome;
}

/**
 * Anthropic's rules. Only breakpoints are written, one entry each. A lookup begins at the last breakpoint and goes back
 * at most 20 blocks from it, then from the one before; the first entry found is the longest. A read renews its entry.
 */
export function createBreakpointCache(): BreakpointCache {
  const entries = new Map<string, Entry>();

  return {
    serve(segments, salt, minimum, now) {
      const prefixes = makePrefixes(segments, salt);
      const marks: { readonly at: number; readonly ttl: Ttl }[] = [];
      segments.forEach(({ mark }, i) => {
        if (mark !== undefined && prefixes[i + 1]!.tokens >= minimum) marks.push({ at: i + 1, ttl: mark });
      });

      const findLive = (at: number): Entry | undefined => {
        const entry = entries.get(prefixes[at]!.name);
        return entry !== undefined && entry.expires > now ? entry : undefined;
      };
      let hit = 0;
      for (const { at } of marks.toReversed()) {
        for (let back = 0; back < LOOK_BACK && at - back > hit; back++)
          if (findLive(at - back) !== undefined) hit = at - back;
        if (hit > 0) break;
      }

      const renewed = [hit, ...marks.map(({ at }) => at).filter((at) => at < hit)];
      for (const at of renewed) {
        const entry = findLive(at);
        if (entry !== undefined) entry.expires = now + entry.ttlMs;
      }
      let hour = hit;
      let end = hit;
      for (const { at, ttl } of marks) {
        if (at <= hit) continue;
        entries.set(prefixes[at]!.name, { ttlMs: TTL_MS[ttl], expires: now + TTL_MS[ttl] });
        if (ttl === '1h') hour = at;
        end = at;
      }
      const size = (at: number): number => prefixes[at]!.tokens;
      return { read: size(hit), write: size(end) - size(hit), writeHour: size(hour) - size(hit) };
    },
  };
}
