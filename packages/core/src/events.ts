import type { Problem } from './admit.ts';
import type { Usage } from './ledger.ts';
import type { UsageFault } from './meter.ts';
import type { Receipt } from './receipt.ts';
import type { Visit } from './walk.ts';

/** What a session tells those who watch. Noun and verb, past tense. */
export type SessionEvent =
  | { readonly type: 'view-made'; readonly tokens: number; readonly fits: boolean; readonly visits: readonly Visit[] }
  | { readonly type: 'view-compacted'; readonly receipt: Receipt }
  | { readonly type: 'history-mended'; readonly problems: readonly Problem[] }
  | { readonly type: 'usage-ignored'; readonly usage: Usage; readonly fault: UsageFault }
  | { readonly type: 'need-failed'; readonly need: string; readonly key: string; readonly why: string }
  | { readonly type: 'window-learned'; readonly window: number }
  /** Automatic compaction stopped, and why. It goes on at the blocking limit, or after a manual one that helps. */
  | { readonly type: 'automatic-stopped'; readonly reason: 'ineffective' }
  | { readonly type: 'walk-reverted'; readonly receipt: Receipt };
