import type { SnipRequest } from '../layers/snip-asked.ts';
import type { Ledger, Trigger } from '../ledger/ledger.ts';
import type { Journal, JournalRecord } from '../ledger/ports.ts';
import type { Totals } from '../ledger/totals.ts';
import type { Message, MessageId, NewMessage } from '../message/message.ts';
import type { BudgetOptions } from '../size/budget.ts';
import type { Prices } from '../size/cost.ts';
import type { Usage } from '../size/usage.ts';
import type { Asked, WireRules } from '../view/circumstances.ts';
import type { MissingText } from '../view/kept-text.ts';
import type { Layer } from '../view/look.ts';
import type { NativeEdit } from '../view/need.ts';
import type { LiveSummary } from '../view/read-summary.ts';
import type { Recall } from '../view/recall.ts';
import type { Receipt } from '../view/receipt.ts';
import type { Count } from '../view/slot.ts';
import type { Status } from '../view/status.ts';
import type { Overhead } from '../walk/overhead.ts';
import type { SessionEvent } from './events.ts';
import type { Handoff, HandoffOptions } from './handoff.ts';
import type { Ports } from './ports.ts';
import type { CompactionPlan, Preview } from './preview-types.ts';

/**
 * `window` alone is enough. Most state `system` and `tools` too, since they count, and `ports.summarizer` where a model
 * is to write summaries.
 */
export interface SessionOptions extends Overhead, BudgetOptions {
  /** What views are led through, in order; `presets.default()` by default. */
  readonly layers?: readonly Layer[];
  /** Tokens of a message; the embedded estimate by default. */
  readonly count?: Count;
  /** Tokens of a text, for summaries and digests; state it along with `count`. */
  readonly countText?: (text: string) => number;
  /** What the provider demands of edits: the `rules` that a wire's `decode` gives. `plainWire` by default. */
  readonly wire?: WireRules;
  /** A subagent's conversation, whose middle is never snipped. False by default. */
  readonly subagent?: boolean;
  /**
   * What the project wants minded in every summary: the words themselves, or a file of instructions with a section under the
   * heading "Compact Instructions", of which only that is taken. By default such a section of the system prompt.
   */
  readonly compactInstructions?: string;
  /** What the session may ask of the world. None is needed. */
  readonly ports?: Ports;
  /** Where all that is said and decided is written, before the next view is handed out. Nowhere by default. */
  readonly journal?: Journal;
  /** What the journal held when it was opened: the session goes on from there, byte for byte. */
  readonly records?: readonly JournalRecord[];
  /** What to do with a message that breaks the history: refuse it (default), or show a mended form and tell. */
  readonly broken?: 'refuse' | 'mend';
  /** Tries after a provider's refusal before giving up, each at half the size: 1 by default, 3 at most. */
  readonly overflowTries?: number;
  /** Summaries are drafted in the background from a soft threshold on. On by default where there is a summarizer. */
  readonly drafts?: boolean;
  /** What tokens cost (`DEFAULT_PRICES`) and how long the provider's cache lives (five minutes): for the cost model. */
  readonly prices?: Prices;
  readonly cacheTtlMs?: number;
  /** Called with every event as it happens. What it throws breaks no call of the session: it becomes an uncaught error. */
  readonly on?: (event: SessionEvent) => void;
}

/** What to send to the model now. */
export interface View {
  /** Frozen, since they are what was said: whoever wants to change one makes a copy. */
  readonly messages: readonly Message[];
  /** Of the whole request, with system prompt and tools; measured where the provider has reported, else estimated. */
  readonly tokens: number;
  /** False only where one indivisible thing is larger than the budget, or what is sent besides the messages is (`status()` names it). */
  readonly fits: boolean;
  /** What the wire is to ask the provider for; mostly empty. */
  readonly native: readonly NativeEdit[];
  /**
   * The most that may be asked for as an answer (`max_tokens`): what the window leaves beside this view, and no more than
   * the `maxOutput` that was stated. Providers refuse a request whose input and answer together may exceed the window.
   */
  readonly maxOutput: number;
  /** Set when this view hides something that the one before did not. */
  readonly receipt?: Receipt;
  /** What users and clients wrote that it does not show as it was written, and why; absent where it shows all. */
  readonly missing?: readonly MissingText[];
}

/** For hosts that know the time, or may want to stop waiting. */
export interface ViewOptions {
  /** Milliseconds since 1970; without it the newest message's own time counts. */
  readonly now?: number | undefined;
  /**
   * Ends the waiting: the call rejects at once with the signal's reason. What was not yet decided is not decided then; a
   * compaction that stands already (its after-hook was being heard, or the journal was writing) is told by the next view.
   */
  readonly signal?: AbortSignal | undefined;
}

/** What may be said with `view()` and `switchTo()`: also what is sent besides the messages, where that has changed. */
export interface ViewStatement extends ViewOptions, Overhead {}

/** How a compaction is asked for. */
export interface CompactRequest extends ViewOptions, Asked {
  /** Why; `manual` by default. */
  readonly trigger?: Trigger;
  /** Does what was previewed, which says all the rest: only `signal` goes with it. */
  readonly plan?: CompactionPlan;
}

/** Which compaction is to be previewed. */
export interface PreviewRequest extends Omit<CompactRequest, 'plan'> {}

/** What is to be snipped, and why. */
export interface SnipOptions extends ViewOptions, SnipRequest {
  /** Who asked: the model by its tool (`tool`, the default), or the user (`manual`). */
  readonly trigger?: 'tool' | 'manual';
}

/**
 * The next model's budget, what its provider demands of edits, and what is sent besides the messages, where that has changed.
 * An abort ends the waiting; the switch itself stands.
 */
export interface SwitchOptions extends BudgetOptions, ViewStatement {
  readonly wire?: WireRules;
  /**
   * Other layers from now on, such as another preset's. What was compacted stays so, with its receipt, and can be undone as
   * before: only what comes is led through these.
   */
  readonly layers?: readonly Layer[];
  /** What the next model's tokens cost; as before where nothing is said. */
  readonly prices?: Prices;
}

/** What a fork has of its own: above all a `journal`, which it does not share. All else is as in the session it comes from. */
export type ForkOptions = Partial<Omit<SessionOptions, 'records'>>;

/** One conversation: append what is said, view before every request, observe what came back. */
export interface Session {
  /**
   * A copy goes into the transcript, at once; the message stays the host's own. One that breaks the history is thrown back,
   * unless `broken` is `mend`; one that is malformed or no JSON is thrown back in any case, and nothing of it stays.
   */
  append(message: NewMessage): MessageId;
  /**
   * Call before every model request: what to send, compacted first where it is time. `system` and `tools` need saying again
   * only where they have changed.
   */
  view(options?: ViewStatement): Promise<View>;
  /** What the provider reported for the newest view: from then on sizes are measured rather than estimated. */
  observe(usage: Usage): void;
  /**
   * The provider refused the newest view as too long: a smaller one, or a typed error once that has been tried. Tries count
   * anew from the user's next message on.
   */
  overflowed(refusal?: { readonly maximum?: number; readonly actual?: number }, options?: ViewOptions): Promise<View>;
  /**
   * Compacts now, down to the target or to half the size, whichever is less. Undefined: there was nothing to gain; without a
   * single message `nothing-to-compact` is thrown. A summarizer that failed is named in the receipt's `summary.failure`.
   * With the `plan` of a preview it does just that, or rejects with `stale-plan` where the session has changed since.
   */
  compact(options?: CompactRequest): Promise<Receipt | undefined>;
  /**
   * What `compact()` would do now: what would go, what it saves, and the view after it. Nothing is recorded and no model is
   * asked; of the ports only `carry` is.
   */
  preview(options?: PreviewRequest): Promise<Preview>;
  /**
   * Hides the middle that is named: a notice with a reference and what the user typed there stand in its place. Pins stay, and
   * calls go with their results only. Where nothing can go it rejects with `nothing-to-snip`, and says why.
   */
  snip(options?: SnipOptions): Promise<Receipt>;
  /**
   * Another model, or other layers: a smaller window compacts before the next request if it must, a larger one takes back
   * compactions if that leaves room. Where it holds the view as it stands, nothing changes.
   */
  switchTo(options: SwitchOptions): Promise<View>;
  /**
   * Takes back the newest compaction that stands, and tells which it was. The view is the exact earlier one, but for reasoning
   * made behind the compaction where the wire binds it: the next view drops that, and its receipt says so. Where `walk` names
   * the one that is meant and another is the newest by now, nothing is done: `nothing-to-undo`.
   */
  undo(walk?: number): Receipt;
  /**
   * A pinned message stays as it is as long as anything can give way instead; the receipt tells where it could not. Reasoning
   * in it that a wire binds to a prefix goes with that prefix.
   */
  pin(id: MessageId): void;
  unpin(id: MessageId): void;
  /** How full the window is, for a user interface. Makes no view. */
  status(): Status;
  /**
   * Tokens and money used since the first call, as far as they were reported (`observe`): the conversation's, and those of
   * summaries. They are read off the ledger, so a session that was opened again goes on counting.
   */
  totals(): Totals;
  /** The summary that the view shows now, statement by statement; undefined where it shows none. */
  summary(): LiveSummary | undefined;
  /**
   * Puts these words in the place of the summary's statements, such as the user's own correction; what code read off the
   * transcript stays beside them. An entry of the ledger like a compaction, so `undo()` takes it back; rejects with
   * `no-summary` where the view shows none.
   */
  editSummary(words: string): Promise<Receipt>;
  /**
   * The opening message of a fresh session that is to take up the work: the user's words and rules, what is open, files,
   * commands, and how to read more. Made by code, within `maxTokens`; nothing is recorded.
   */
  handoff(options?: HandoffOptions): Handoff;
  /** Of the compactions that stand, oldest first. */
  receipts(): readonly Receipt[];
  /** With `transcript()` all there is to a session: `plan()` takes both. */
  ledger(): Ledger;
  /** All that was ever appended, hidden or not. */
  transcript(): readonly Message[];
  /**
   * A new session that begins with this one's messages up to and with `upTo` (all without it), and with all that was decided
   * by the time the next one came: its view is the very one that stood there, so a provider's cache of it holds. From there
   * on both go their own ways. Nothing is counted or copied again; into a `journal` of its own it writes all that it begins with.
   */
  fork(upTo?: MessageId, options?: ForkOptions): Session;
  /** Resolves when everything said and decided so far is in the journal. */
  saved(): Promise<void>;
  /**
   * Resolves when nothing is being prepared in the background any more. A signal that is aborted stops what is: then it
   * rejects. Whoever closes a session calls it so.
   */
  settled(options?: Pick<ViewOptions, 'signal'>): Promise<void>;
  /** Reads and searches what the view hides. */
  readonly recall: Recall;
}
