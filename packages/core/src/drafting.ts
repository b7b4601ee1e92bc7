import type { Ports } from './compact.ts';
import type { Entry, Fact } from './ledger.ts';
import type { Layer, Look, Preparation } from './look.ts';
import { summarize } from './summarize.ts';

/** Prepares summaries ahead, one at a time, while the agent works. A draft is a fact about a prefix; it hides nothing. */
export interface Drafting {
  /** Starts one if a layer wants it and none is under way. */
  consider(look: () => Look, layers: readonly Layer[]): void;
  /** The one under way, if any. Never rejects. */
  readonly underWay: Promise<void> | undefined;
  stop(): void;
}

export function newDrafting(ports: Ports, countText: (text: string) => number, note: (entry: Entry) => void): Drafting {
  let underWay: Promise<void> | undefined;
  let stop: AbortController | undefined;

  async function draft({ need, upTo, after }: Preparation, signal: AbortSignal): Promise<void> {
    let fact: Fact;
    try {
      fact = await summarize(need, { summarizer: ports.summarizer!, clock: ports.clock, signal, countText });
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      fact = { type: 'failed', key: need.key, need: 'summary', code: 'failed', why };
    }
    if (signal.aborted) return;
    if (fact.type === 'summary')
      note({ type: 'draft', draft: { upTo, fact, ...(after === undefined ? {} : { after }) } });
    else note({ type: 'fact', fact });
  }

  return {
    consider(look, layers) {
      if (underWay !== undefined || ports.summarizer === undefined) return;
      const able = layers.filter((layer) => layer.prepare !== undefined);
      if (able.length === 0) return;
      const seen = look();
      const wanted = able.map((layer) => layer.prepare!(seen)).find((one) => one !== undefined);
      if (wanted === undefined) return;
      stop = new AbortController();
      underWay = draft(wanted, stop.signal).finally(() => {
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
