import { type Prices, payback } from '@palimpsest/core';
import type { RequestLine } from '@palimpsest/gateway';
import { formatCount, formatMoney, formatNumber } from '@palimpsest/terminal';
import { knownPrices } from '@palimpsest/wire';

/** Adds up the requests of one run. */
export interface RunAccount {
  add(line: RequestLine): void;
  /** In one sentence. */
  describe(): string;
  /** The conversation that was compacted last. */
  readonly newest: { readonly session: string; readonly tenant: string } | undefined;
}

/** One conversation, as far as its savings need it. */
interface Conversation {
  said: number;
  /** What the newest compaction took out of each request. */
  freed: number;
}

/** What a request cost and saved by the compaction before it. Undefined where the model's prices are not known. */
function priceRequest(line: RequestLine, { said, freed }: Conversation): number | undefined {
  const { compaction, tokens, usage = {} } = line;
  const prices: Prices | undefined = knownPrices(line.model ?? '');
  if (prices === undefined || tokens === undefined) return undefined;
  // What was written and not said since the last request stood in the cache already, before the compaction.
  const written = (usage.cacheWrite ?? 0) + (usage.input ?? 0);
  const behind = compaction === undefined ? 0 : Math.max(0, written - Math.max(0, tokens.before - said));
  const price = payback({ state: 'warm', prices, remainingCalls: 1 }, { freed, behind });
  return price.savedPerCall - price.costNow;
}

export function createRunAccount(): RunAccount {
  const conversations = new Map<string, Conversation>();
  let [requests, compactions, notSent, saved] = [0, 0, 0, 0];
  let isPriced = true;
  let newest: RunAccount['newest'];
  return {
    get newest() {
      return newest;
    },
    add(line) {
      if (line.model === undefined) return;
      requests++;
      const { session, tokens, compaction, tenant } = line;
      if (session === undefined || tokens === undefined) return;
      notSent += Math.max(0, tokens.before - tokens.after);
      const known = conversations.get(session) ?? { said: 0, freed: 0 };
      if (compaction !== undefined) {
        compactions++;
        known.freed = Math.max(0, compaction.before - compaction.after);
        newest = { session, tenant: tenant ?? '' };
      }
      const gained = known.freed === 0 ? 0 : priceRequest(line, known);
      isPriced &&= gained !== undefined;
      saved += gained ?? 0;
      known.said = tokens.before;
      conversations.set(session, known);
    },
    describe() {
      if (requests === 0) return 'no request came through the gateway';
      const counted = formatCount(requests, 'request');
      if (compactions === 0) return `${counted}, nothing had to be compacted`;
      const money = isPriced ? `, about $${formatMoney(Math.abs(saved))} ${saved < 0 ? 'lost' : 'saved'}` : '';
      return `${counted}, ${formatCount(compactions, 'compaction')}, ${formatNumber(notSent)} tokens not sent${money}`;
    },
  };
}
