import type { Entry, Fact } from '../ledger/ledger.ts';
import { type SummaryNeed, summarize } from '../summary/summarize.ts';
import type { Ports } from './settle.ts';

/** Prepares summaries ahead, one at a time, while the agent works. A draft is a fact about a prefix; it hides nothing. */
export interface Drafting {
  start(need: SummaryNeed): void;
  /** The one under way, if any. Never rejects. */
  readonly underWay: Promise<void> | undefined;
  stop(): void;
}

export function newDrafting(ports: Ports, countText: (text: string) => number, note: (entry: Entry) => void): Drafting {
  let underWay: Promise<void> | undefined;
  let stop: AbortController | undefined;

  async function draft(need: SummaryNeed, signal: AbortSignal): Promise<void> {
    let fact: Fact;
    try {
      fact = await summarize(need, { summarizer: ports.summarizer!, clock: ports.clock, signal, countText });
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      fact = { type: 'failed', key: need.key, need: 'summary', code: 'failed', why };
    }
    if (signal.aborted) return;
    const { to, after } = need;
    if (fact.type === 'summary')
      note({ type: 'draft', draft: { upTo: to, fact, ...(after === undefined ? {} : { after }) } });
    else note({ type: 'fact', fact });
  }

  return {
    start(need) {
      if (underWay !== undefined) return;
      stop = new AbortController();
      underWay = draft(need, stop.signal).finally(() => {
        underWay = undefined;
      });
    },
    get underWay() {
      return underWay;
    },
    stop() {
      stop?.abort();
    },
  };
}
