import type { Trigger } from '../ledger/ledger.ts';
import type { Receipt } from '../view/receipt.ts';

/** What a host may say before and after history is summarized. Awaited, with a time limit; a hook that fails is as if it said nothing. */
export interface Hooks {
  before?(compaction: {
    readonly trigger: Trigger;
    readonly instructions?: string;
  }): Promise<BeforeAnswer | undefined> | BeforeAnswer | undefined;
  after?(compaction: { readonly receipt: Receipt }): Promise<AfterAnswer | undefined> | AfterAnswer | undefined;
}

/** What a hook may say before a summary is written; saying nothing lets it be written. */
export interface BeforeAnswer {
  /** Added behind the user's own instructions. */
  readonly instructions?: string;
  /** Shown to the user through the `hook-spoke` event. */
  readonly message?: string;
  /** A reason not to summarize now. Under pressure the next layers still make the view fit. */
  readonly veto?: string;
}

/** What a hook may add to the view once the summary stands. */
export interface AfterAnswer {
  /** Put behind everything else, as the host's words. */
  readonly context?: string;
}

/** How long a hook may take; a slower one is as if it said nothing. */
export const HOOK_LIMIT_MS = 10_000;
