import type { Trigger } from '../ledger/ledger.ts';
import type { Problem } from '../message/admit-message.ts';
import type { IgnoredSwitch } from '../size/budget.ts';
import type { UsageFault } from '../size/meter.ts';
import type { Usage } from '../size/usage.ts';
import type { Receipt } from '../view/receipt.ts';
import type { Status } from '../view/status.ts';
import type { Visit } from '../walk/walk.ts';

/** What a session tells those who watch. Noun and verb, past tense. */
export type SessionEvent =
  /** With what its size was held against (`trigger`, `effective`), and what each layer of the walk freed. */
  | {
      readonly type: 'view-made';
      readonly tokens: number;
      readonly fits: boolean;
      readonly trigger: number;
      readonly effective: number;
      readonly visits: readonly Visit[];
    }
  | { readonly type: 'view-compacted'; readonly receipt: Receipt }
  | { readonly type: 'history-mended'; readonly problems: readonly Problem[] }
  | { readonly type: 'usage-ignored'; readonly usage: Usage; readonly fault: UsageFault }
  /** History is about to be compacted; `compaction-ended` follows exactly once. */
  | { readonly type: 'compaction-started'; readonly trigger: Trigger }
  | {
      readonly type: 'compaction-ended';
      readonly trigger: Trigger;
      readonly outcome: 'done' | 'nothing-gained' | 'vetoed' | 'aborted' | 'failed';
    }
  | { readonly type: 'hook-spoke'; readonly message: string }
  /**
   * What one summary has used, all calls and rejected answers together, and its cost where prices are known. `draft`: it was
   * written ahead, whether or not it is used later. `failed`: nothing came of it.
   */
  | {
      readonly type: 'summary-paid';
      readonly how: 'asked' | 'draft';
      readonly outcome: 'written' | 'failed';
      readonly calls: number;
      readonly usage: Usage;
      readonly cost?: number;
    }
  | {
      readonly type: 'need-failed';
      readonly need: string;
      readonly key: string;
      readonly code: string;
      readonly why: string;
    }
  /** A refusal stated it; or, `inferred`, it follows from the sizes of what was refused and what was taken. */
  | { readonly type: 'window-learned'; readonly window: number; readonly inferred?: true }
  /** A variable of the environment makes no sense; `why` says so in words for the user. */
  | ({ readonly type: 'switch-ignored' } & IgnoredSwitch)
  /** A refusal stated a window that cannot be: no number of tokens, or more than is known. */
  | { readonly type: 'window-ignored'; readonly window: number }
  /**
   * `ineffective`: compactions free too little, so they wait for the blocking limit or a manual one that helps.
   * `summarizer-failed`: three in a row; the digest serves until a manual compaction brings a summary again.
   */
  | { readonly type: 'automatic-stopped'; readonly reason: 'ineffective' | 'summarizer-failed' }
  /** What is sent besides the messages reaches the trigger alone: nothing is hidden for it, and no view fits. */
  | { readonly type: 'automatic-stopped'; readonly reason: 'overhead'; readonly overhead: Status['overhead'] }
  | { readonly type: 'walk-reverted'; readonly receipt: Receipt };
