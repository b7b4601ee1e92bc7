import type { Trigger } from '../ledger/ledger.ts';
import type { Message } from '../message/message.ts';
import type { Payback } from '../size/cost.ts';
import type { Ability, Asked } from '../view/circumstances.ts';
import type { HiddenItem } from '../view/list-hidden.ts';
import type { Receipt } from '../view/receipt.ts';

/** One thing that would go, and the reference that would read it back. */
export type PreviewItem = HiddenItem;

/** What one layer would do, in the order in which they walk. */
export interface PreviewLayer {
  readonly layer: string;
  readonly edits: number;
  /** Of the whole context, before and after it. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What `compact({ plan })` does, as plain JSON: how it was asked for, and what the session was like then. */
export interface CompactionPlan {
  readonly trigger: Trigger;
  readonly asked: Asked;
  readonly now?: number;
  readonly state: {
    readonly messages: number;
    readonly entries: number;
    readonly tokens: number;
    readonly window: number;
    readonly target: number;
    readonly layers: readonly string[];
  };
}

/** What a compaction would do. Nothing of it has been done. */
export interface Preview {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly layers: readonly PreviewLayer[];
  readonly items: readonly PreviewItem[];
  /** As `compact()` would give it; none where there is nothing to gain. */
  readonly receipt?: Receipt;
  /** The messages that would be sent then. */
  readonly messages: readonly Message[];
  /** What it costs at the next call and saves at each, in the money of the session's prices. */
  readonly money: Omit<Payback, 'pays'>;
  /**
   * Who would be asked and was not: a model for the summary, hooks, the stash. Empty: the compaction gives just this. Else
   * code has written what the model would write, and hooks were taken as silent.
   */
  readonly asks: readonly Ability[];
  /** For `compact({ plan })`, once somebody likes it. */
  readonly plan: CompactionPlan;
}
