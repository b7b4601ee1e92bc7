import type { Digest } from '../digest/digest.ts';
import type { Edit } from '../ledger/edit.ts';
import type { DraftFact, Fact, Trigger } from '../ledger/ledger.ts';
import type { Message, MessageId } from '../message/message.ts';
import type { Budget } from '../size/budget.ts';
import type { CacheState } from '../size/cost.ts';
import type { Slot } from './slot.ts';

/** What a layer cannot have by looking: it is fetched outside and comes back as a fact under the same key. */
export type Need =
  | { readonly type: 'stash'; readonly key: string; readonly text: string }
  | {
      readonly type: 'summary';
      readonly key: string;
      /** The messages to summarize, as the view shows them. */
      readonly span: readonly Message[];
      /** The whole view, for a request that shares its prefix, and how the span's last message begins. */
      readonly live: readonly Message[];
      readonly liveTokens: number;
      readonly upTo?: string;
      readonly previous?: string;
      readonly instructions?: string;
      readonly maxTokens: number;
      /** Where the span ends, and the summary it brings up to date: what a draft is known by. */
      readonly to: MessageId;
      readonly after?: string;
      /** What the judge holds the answer against: the transcript behind the span. */
      readonly source: readonly Message[];
      readonly sourceTokens: number;
    }
  | { readonly type: 'carry'; readonly key: string }
  | { readonly type: 'hooks'; readonly key: string; readonly trigger: Trigger; readonly instructions?: string };

/** What a layer asks the provider to do by its own context editing; the wire puts it into the request. */
export type NativeEdit =
  | {
      readonly type: 'clear-results';
      readonly keep: number;
      readonly triggerTokens?: number;
      readonly atLeastTokens?: number;
      readonly exceptTools?: readonly string[];
      readonly clearInputs?: boolean;
    }
  | { readonly type: 'clear-reasoning'; readonly keep: number };

/** What the wire in use demands of edits. */
export interface WireRules {
  /**
   * `free`: reasoning may go on its own. `with-next`: a reasoning item goes only with the item behind it (Responses).
   * `bound`: signed reasoning is checked against the exact prefix, so nothing signed may stand behind a change.
   */
  readonly reasoning: 'free' | 'with-next' | 'bound';
  /** The provider edits its own context on request (`context_management`). */
  readonly nativeEditing: boolean;
}

/** Demands nothing: what is assumed where no wire is stated. */
export const plainWire: WireRules = { reasoning: 'free', nativeEditing: false };

/** How much must still go, by measure; 0 where there is no pressure. Tokens are estimated ones, comparable with `count`. */
export interface Over {
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
  readonly messages: number;
}

/** What a layer sees. Data and pure functions only. */
export interface Look {
  /** The view as the layers before left it. */
  readonly slots: readonly Slot[];
  /** The view before this walk: what the provider's cache holds, and what has come since. */
  readonly shown: readonly Slot[];
  readonly shownTokens: number;
  /** The context's size in calibrated tokens, with system prompt and tools. */
  readonly tokens: number;
  readonly over: Over;
  /** Whether any measure of `over` is above 0. */
  readonly pressed: boolean;
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly wire: WireRules;
  /** False inside a subagent, where the middle is never snipped. */
  readonly main: boolean;
  /** Whether large texts can be saved outside the transcript. */
  readonly hasStash: boolean;
  readonly hasSummarizer: boolean;
  readonly hasCarry: boolean;
  readonly hasHooks: boolean;
  /** What a manual compaction asked for. */
  readonly asked: Asked;
  /** Prefixes summarized in the background, newest last. */
  readonly drafts: readonly DraftFact[];
  /** What the provider's cache holds and costs, as far as the host told. */
  readonly cache: CacheState;
  /** The digest of the transcript between two places, both inclusive. */
  readonly digest: (first: number, last: number, maxTokens: number) => Digest;
  readonly countText: (text: string) => number;
  /** A message's place in the transcript. */
  readonly placeOf: (id: MessageId) => number | undefined;
  /** Milliseconds since 1970: what the host says, or the newest message's own time. */
  readonly now: number | undefined;
  /** Index of the first slot that no model has been shown yet. */
  readonly fresh: number;
  /** Calibrated tokens of the fresh slots. */
  readonly freshTokens: number;
  readonly count: (message: Message) => number;
  readonly fact: (key: string) => Fact | undefined;
  readonly isPinned: (id: MessageId) => boolean;
  /** Calls are in flight: their results will come, so they must stay. */
  readonly hasOpenCalls: boolean;
  /** The transcript's own message behind a slot. */
  readonly original: (slot: Slot) => Message;
  /** The transcript's messages behind a run of slots, hidden ones included. */
  readonly behind: (from: Slot, to: Slot) => readonly Message[];
  /** The reference that the n-th edit of this decision gets. */
  readonly ref: (n: number) => string;
}

/** How a compaction was asked for. */
export interface Asked {
  /** What the summary should mind, in words for the model that writes it. */
  readonly instructions?: string;
  /** `all`: everything is summarized. `up-to`: the old part. `from`: the recent part, the beginning stays. */
  readonly form?: 'all' | 'up-to' | 'from';
  /** Where the old part ends, or the recent part begins. */
  readonly at?: MessageId;
  /** How many of the last messages stay, where the budget alone does not say. */
  readonly keepMessages?: number;
}

/** A layer's answer. Where there are needs nothing is recorded yet: it is asked again once their facts are there. */
export interface Decision {
  readonly edits: readonly Edit[];
  readonly needs?: readonly Need[];
  /** What the provider is to do itself, where the wire lets it. */
  readonly native?: readonly NativeEdit[];
  /** Why now, in words for the receipt. */
  readonly reason?: string;
}

/** One step of the walk. `name` stands in the ledger and in receipts; `decide` only looks, and never waits. */
export interface Layer {
  readonly name: string;
  decide(look: Look): Decision;
}

export const nothing: Decision = { edits: [] };

/** Whether the fresh messages carried the context over a multiple of `step`: looks that cost the whole view happen then only. */
export const crossed = (look: Look, step: number): boolean =>
  Math.floor(look.tokens / step) > Math.floor((look.tokens - look.freshTokens) / step);
