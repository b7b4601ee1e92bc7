import { createHash } from 'node:crypto';

/** What a provider's cache would serve: prompts are known by their beginnings, piece by piece, as they were sent. */
export interface PrefixBill {
  /** Sends a body; the share of it that was sent before, from its start on. */
  send(body: object): number;
  /** Of all that was sent so far. */
  readonly cachedShare: number;
}

const PIECE_CHARS = 64;

/** Breakpoints belong to the request and change nothing of what is cached. */
const textOf = ({ tools, system, messages }: { tools?: unknown; system?: unknown; messages?: unknown }): string =>
  JSON.stringify([tools ?? [], system ?? '', messages], (key, value) => (key === 'cache_control' ? undefined : value));

export function createPrefixBill(): PrefixBill {
  const known = new Set<string>();
  let [read, all] = [0, 0];
  return {
    send(body) {
      const text = textOf(body);
      let running = '';
      let served = 0;
      let isKnown = true;
      for (let at = 0; at < text.length; at += PIECE_CHARS) {
        running = createHash('sha1')
          .update(running)
          .update(text.slice(at, at + PIECE_CHARS))
          .digest('base64');
        isKnown &&= known.has(running);
        if (isKnown) served = Math.min(text.length, at + PIECE_CHARS);
        known.add(running);
      }
      read += served;
      all += text.length;
      return served / text.length;
    },
    get cachedShare() {
      return read / Math.max(1, all);
    },
  };
}
