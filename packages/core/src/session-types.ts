import type { BudgetOptions } from './budget.ts';
import type { Ports } from './compact.ts';
import type { Prices } from './cost.ts';
import type { SessionEvent } from './events.ts';
import type { Ledger, Trigger, Usage } from './ledger.ts';
import type { Asked, Layer, NativeEdit, WireRules } from './look.ts';
import type { Message, MessageId, NewMessage } from './message.ts';
import type { Besides } from './plan.ts';
import type { Journal, JournalRecord } from './ports.ts';
import type { Recall } from './recall.ts';
import type { Receipt } from './receipt.ts';
import type { Count } from './slot.ts';
import type { Status } from './status.ts';

export interface SessionOptions extends Besides, BudgetOptions {
  readonly layers?: readonly Layer[];
  /** Tokens of a message; the embedded estimate by default. */
  readonly count?: Count;
  readonly countText?: (text: string) => number;
  readonly wire?: WireRules;
  readonly subagent?: boolean;
  readonly ports?: Ports;
  readonly journal?: Journal;
  /** What the journal held when it was opened: the session goes on from there, byte for byte. */
  readonly records?: readonly JournalRecord[];
  /** What to do with a message that breaks the history: refuse it (default), or show a mended form and tell. */
  readonly broken?: 'refuse' | 'mend';
  /** Tries after a provider's refusal before giving up. Each asks for half. */
  readonly overflowTries?: number;
  /** Summaries are drafted in the background from a soft threshold on. On by default where there is a summarizer. */
  readonly drafts?: boolean;
  /** What tokens cost and how long the provider's cache lives: what the cost model reckons with. */
  readonly prices?: Prices;
  readonly cacheTtlMs?: number;
  readonly on?: (event: SessionEvent) => void;
}

export interface View {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** False only where one indivisible thing is larger than the budget, or what is sent besides the messages is. */
  readonly fits: boolean;
  readonly native: readonly NativeEdit[];
  /** Set when this view hides something that the one before did not. */
  readonly receipt?: Receipt;
}

export interface ViewOptions {
  /** Milliseconds since 1970; without it the newest message's own time counts. */
  readonly now?: number;
  readonly signal?: AbortSignal;
}

export interface Session {
  append(message: NewMessage): MessageId;
  /** Call before every model request. */
  view(options?: ViewOptions): Promise<View>;
  /** What the provider reported for the newest view. */
  observe(usage: Usage): void;
  /** The provider refused the newest view as too long: a smaller one, or a typed error once that has been tried. */
  overflowed(refusal?: { readonly maximum?: number; readonly actual?: number }, options?: ViewOptions): Promise<View>;
  /** Compacts now. Undefined: there was nothing to gain. */
  compact(options?: ViewOptions & Asked & { readonly trigger?: Trigger }): Promise<Receipt | undefined>;
  /** Another model: a smaller window compacts before the next request, a larger one takes back what it need not hide. */
  switchTo(options: BudgetOptions & { readonly wire?: WireRules }): Promise<View>;
  undo(): Receipt;
  pin(id: MessageId): void;
  unpin(id: MessageId): void;
  status(): Status;
  receipts(): readonly Receipt[];
  ledger(): Ledger;
  transcript(): readonly Message[];
  /** Resolves when everything said and decided so far is in the journal. */
  saved(): Promise<void>;
  /** Resolves when nothing is being prepared in the background any more. */
  settled(): Promise<void>;
  readonly recall: Recall;
}
