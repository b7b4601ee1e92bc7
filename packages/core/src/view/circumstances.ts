import type { Fact, Trigger } from '../ledger/ledger.ts';
import type { MessageId } from '../message/message.ts';
import type { Budget } from '../size/budget.ts';
import { type CacheState, DEFAULT_PRICES, DEFAULT_REMAINING_CALLS, type Prices } from '../size/cost.ts';
import { estimateText } from '../size/estimate-message.ts';

/** What the wire in use demands of edits. */
export interface WireRules {
  /**
   * `free`: reasoning may go on its own. `with-next`: a reasoning item goes only with the item behind it (Responses).
   * `bound`: signed reasoning is checked against the exact prefix, so it stays only behind what it was made behind.
   */
  readonly reasoning: 'free' | 'with-next' | 'bound';
  /** The provider edits its own context on request (`context_management`). */
  readonly nativeEditing: boolean;
  /** How the vendor's cache is paid for, where nobody knows what the model itself costs: decisions go by it, and no bill does. */
  readonly prices?: Prices;
}

/** Demands nothing: what is assumed where no wire is stated. */
export const plainWire: WireRules = { reasoning: 'free', nativeEditing: false };

/** How a compaction was asked for. */
export interface Asked {
  /** What the summary should mind, in words for the model that writes it. */
  readonly instructions?: string;
  /** `all`: everything is summarized. `up-to`: the old part. `from`: the recent part, the beginning stays. */
  readonly form?: 'all' | 'up-to' | 'from';
  /** Where the old part ends, or the recent part begins. */
  readonly at?: MessageId;
  /** How many of the last messages stay, where the budget alone does not say; where turns stay otherwise too, of those. */
  readonly keepMessages?: number;
}

/** A kind of need that somebody outside can meet. */
export type Ability = 'stash' | 'summary' | 'carry' | 'hooks';

/** All that a walk is told from outside. Stated once for a view, and handed on as it is: from session to plan, walk and layers. */
export interface Circumstances {
  readonly budget: Budget;
  /** Why the walk is made. With `manual` and `tool` history is summarized whatever the pressure. */
  readonly trigger: Trigger;
  /** How a compaction was asked for, where somebody did. */
  readonly asked: Asked;
  readonly wire: WireRules;
  /** What the project wants minded in every summary. */
  readonly compactInstructions: string | undefined;
  /** Where the journal keeps the transcript, if it says so. */
  readonly transcript: string | undefined;
  /** The tool by which the model reads what is hidden, where it is offered one. */
  readonly recallTool: string | undefined;
  /** Whether the model can read what a notice names; where nobody says, it is sent there. */
  readonly canRecall: boolean;
  /** Whether folds leave what users and clients wrote where it stands; the first messages stay in any case. */
  readonly keepsUserText: boolean;
  /** Inside a subagent the middle is never snipped. */
  readonly subagent: boolean;
  /** Milliseconds since 1970: what the host says, or the newest message's own time. */
  readonly now: number | undefined;
  /** What the provider's cache holds and costs, as far as the host told; unknown counts as warm. */
  readonly cache: CacheState;
  /** Tokens of a text, for digests and notices. */
  readonly countText: (text: string) => number;
  /** What can be asked of the outside; layers do without the rest. */
  readonly can: ReadonlySet<Ability>;
  /** The answers to needs so far, by their keys. */
  readonly facts: ReadonlyMap<string, Fact>;
  /** Estimated sizes of what is sent besides the messages: system prompt, tool definitions. */
  readonly overhead: {
    readonly system: number;
    readonly tools: number;
    /** Of both. */
    readonly tokens: number;
    readonly bytes: number;
  };
}

/** What is assumed of everything that is not stated. */
const assumed: Omit<Circumstances, 'budget'> = {
  trigger: 'auto',
  asked: {},
  wire: plainWire,
  compactInstructions: undefined,
  transcript: undefined,
  recallTool: undefined,
  canRecall: true,
  keepsUserText: true,
  subagent: false,
  now: undefined,
  cache: { state: 'unknown', prices: DEFAULT_PRICES, remainingCalls: DEFAULT_REMAINING_CALLS },
  countText: estimateText,
  can: new Set(),
  facts: new Map(),
  overhead: { system: 0, tools: 0, tokens: 0, bytes: 0 },
};

/** Circumstances of which only some are stated; the budget always is. */
export type StatedCircumstances = Pick<Circumstances, 'budget'> & {
  readonly [Name in keyof Circumstances]?: Circumstances[Name] | undefined;
};

/** Completes what is stated by what is assumed. A value of undefined states nothing. */
export function completeCircumstances(stated: StatedCircumstances): Circumstances {
  const known = Object.entries(stated).filter(([, value]) => value !== undefined);
  return { ...assumed, budget: stated.budget, ...Object.fromEntries(known) };
}
