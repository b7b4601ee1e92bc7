import { hash } from '../prompt/hash.ts';
import type { Segment } from '../prompt/prompt.ts';
import type { CacheOutcome } from './cache-outcome.ts';

/** Tokens that are cached at a time. */
const STEP = 128;
const TTL_MS = 5 * 60_000;
const LONG_TTL_MS = 24 * 60 * 60_000;

interface Node {
  readonly text: string;
  readonly next: Map<string, Node>;
  expires: number;
}

const node = (text: string, expires: number): Node => ({ text, next: new Map(), expires });

export interface ImplicitCache {
  /** `route` keeps prompts apart that would not reach the same machine: key, model, `prompt_cache_key`. */
  serve(
    segments: readonly Segment[],
    route: string,
    options: { readonly minimum: number; readonly now: number; readonly long: boolean },
  ): CacheOutcome;
}

/**
 * OpenAI's rules (Gemini's are of the kind): every prompt is kept without being asked to, and the longest beginning that
 * it shares with an earlier one is served, in whole steps and from a minimum on. A block that only grew shares its head.
 */
export function createImplicitCache(countText: (text: string) => number): ImplicitCache {
  const routes = new Map<string, Node>();

  const countPart = (segment: Segment, from: Node, now: number): number => {
    let longest = 0;
    for (const other of from.next.values())
      if (other.expires > now) longest = Math.max(longest, countSharedChars(segment.text, other.text));
    return longest === 0 ? 0 : Math.min(segment.tokens, countText(segment.text.slice(0, longest)));
  };

  return {
    serve(segments, route, { minimum, now, long }) {
      const expires = now + (long ? LONG_TTL_MS : TTL_MS);
      const root = routes.get(route) ?? node('', Number.POSITIVE_INFINITY);
      routes.set(route, root);
      let at = root;
      let shared = 0;
      let apart = false;
      for (const segment of segments) {
        const name = hash(segment.text);
        const known = at.next.get(name);
        if (!apart && known !== undefined && known.expires > now) shared += segment.tokens;
        else {
          if (!apart) shared += countPart(segment, at, now);
          apart = true;
        }
        const next = known ?? node(segment.text, expires);
        next.expires = Math.max(next.expires, expires);
        at.next.set(name, next);
        at = next;
      }
      const read = shared < minimum ? 0 : Math.floor(shared / STEP) * STEP;
      return { read, write: 0, writeHour: 0 };
    },
  };
}

function countSharedChars(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
