import type { Digest } from '../digest/digest.ts';
import type { Edit } from '../ledger/edit.ts';
import type { DraftFact } from '../ledger/ledger.ts';
import type { Message, MessageId } from '../message/message.ts';
import type { UserText } from '../message/user-text.ts';
import type { SearchOptions } from '../search/find-passages.ts';
import type { Found } from '../search/show-passage.ts';
import type { Budget } from '../size/budget.ts';
import type { Circumstances } from './circumstances.ts';
import type { KeptText } from './kept-text.ts';
import type { NativeEdit, Need } from './need.ts';
import type { PresetRules } from './preset-rules.ts';
import type { Sizes, Slot } from './slot.ts';

/** How much must still go, by measure; 0 where there is no pressure. Tokens are estimated ones, comparable with `count`. */
export interface Over extends Sizes {
  readonly messages: number;
}

/** What presses on tokens: the limit; a cold cache, where all is written anew anyway; or the trigger that prices make. */
export type PressureCause = 'limit' | 'cold' | 'price';

/** What a layer sees. Data and pure functions only. */
export interface Look {
  /** The view as the layers before left it. */
  readonly slots: readonly Slot[];
  /** The context's size in calibrated tokens, with system prompt and tools. */
  readonly tokens: number;
  readonly over: Over;
  /** How much of `over` must go at the least: to below the trigger and to the limits. The rest is for the turns to come. */
  readonly needed: Over;
  /** Whether any measure of `over` is above 0. */
  readonly pressed: boolean;
  /** What presses on tokens, where something does. For money alone nothing is hidden without a word of it. */
  readonly cause?: PressureCause;
  /** Index of the first slot that no model has been shown yet. */
  readonly fresh: number;
  /** Calibrated tokens of the fresh slots. */
  readonly freshTokens: number;
  /** What the walk was told from outside: budget, trigger, time, cache, what can be asked for, the facts so far. */
  readonly given: Circumstances;
  /** The view before this walk: what the provider's cache holds, and what has come since. Its tokens are calibrated. */
  readonly shown: { readonly slots: readonly Slot[]; readonly tokens: number };
  /** Prefixes summarized in the background, newest last. */
  readonly drafts: readonly DraftFact[];
  /** Calls are in flight: their results will come, so they must stay. */
  readonly hasOpenCalls: boolean;
  readonly isPinned: (id: MessageId) => boolean;
  /** Estimated tokens of a message. */
  readonly count: (message: Message) => number;
  /** The reference that the n-th edit of this decision gets, from 0 on. */
  readonly ref: (n: number) => string;
  /** The transcript's own message behind a slot. */
  readonly original: (slot: Slot) => Message;
  /** The transcript's messages behind a run of slots, hidden ones included. */
  readonly behind: (from: Slot, to: Slot) => readonly Message[];
  /** A message's place in the transcript. */
  readonly placeOf: (id: MessageId) => number | undefined;
  /** What users and clients wrote and no fold takes: by the places of their messages, the indexes of its parts. */
  readonly kept: KeptText;
  /** The same without regard to a preset that folds what users write. */
  readonly keptAlways: KeptText;
  /** The texts of users and clients between two places, both inclusive. */
  readonly userTexts: (first: number, last: number) => readonly UserText[];
  /** The digest of the transcript between two places, both inclusive. Names that stand in the text `beside` it need not stand in it. */
  readonly digest: (first: number, last: number, maxTokens: number, beside?: string) => Digest;
  /** Passages of the whole transcript that answer a query, hidden or not, best first: what `recall.search` finds. */
  readonly search: (query: string, options?: SearchOptions) => readonly Found[];
}

/** A layer's answer. Where there are needs nothing is recorded yet: it is asked again once their facts are there. */
export interface Decision {
  readonly edits: readonly Edit[];
  readonly needs?: readonly Need[];
  /** What the provider is to do itself, where the wire lets it. */
  readonly native?: readonly NativeEdit[];
  /**
   * Tokens that it adds, of a layer that brings something back: by inserts alone, behind messages that no model has been shown. All
   * others only ever make a view smaller.
   */
  readonly brings?: number;
  /** Why now, in words for the receipt. */
  readonly reason?: string;
}

/** One step of the walk. `name` stands in the ledger and in receipts; `decide` only looks, and never waits. */
export interface Layer {
  readonly name: string;
  decide(look: Look): Decision;
  /** What a preset brings besides layers. It rides on one of them, so that it is where the list is. */
  readonly rules?: PresetRules;
  /** Under such a budget the list asks no model by itself: nobody need think ahead of a summary. */
  readonly sparesModel?: (budget: Budget) => boolean;
}

export const nothing: Decision = { edits: [] };

/** Whether a layer may change what a model was shown without being pressed or asked to: only while compaction is automatic. */
export const isAutomatic = ({ given }: Look): boolean => given.budget.automatic || given.trigger !== 'auto';

/** Whether the fresh messages carried the context over a multiple of `step`: looks that cost the whole view happen then only. */
export const hasCrossed = (look: Look, step: number): boolean =>
  Math.floor(look.tokens / step) > Math.floor((look.tokens - look.freshTokens) / step);
