import type { MessageId } from '../message/message.ts';
import type { Meter } from '../size/meter.ts';
import type { Usage } from '../size/usage.ts';
import type { CarryItem } from './carry.ts';
import type { Edit } from './edit.ts';
import type { ItemUpdate } from './summary-item.ts';

/**
 * Why a walk was made; they differ only in the budget they bring. `tool`: the model asked for it. `idle`: the host had a
 * pause to use. `switch`: another model.
 */
export type Trigger = 'auto' | 'manual' | 'overflow' | 'tool' | 'idle' | 'switch';

/** The answer to a need: what the world gave, or why it could not. */
export type Fact =
  | {
      readonly type: 'stashed';
      readonly key: string;
      readonly ref: string;
      /** Where a model can read it by tools of its own. */
      readonly where?: string;
    }
  | {
      readonly type: 'summary';
      readonly key: string;
      readonly text: string;
      /** What the judge marked: names, paths, numbers and quotes that the source does not hold. */
      readonly flagged: readonly string[];
      /** Where it is made of statements: those, of which the text shows all that stand. */
      readonly statements?: ItemUpdate;
      readonly calls: number;
      /** What the summary itself used; never part of the conversation's own usage. */
      readonly usage: Usage;
      /** In money, where prices are known. */
      readonly cost?: number;
    }
  | { readonly type: 'carried'; readonly key: string; readonly items: readonly CarryItem[] }
  | {
      readonly type: 'hooked';
      readonly key: string;
      readonly instructions?: string;
      readonly message?: string;
      readonly veto?: string;
      readonly prompt?: string;
      readonly autoContinue?: boolean;
    }
  | {
      readonly type: 'failed';
      readonly key: string;
      readonly need: string;
      readonly code: string;
      readonly why: string;
      readonly calls?: number;
      readonly usage?: Usage;
      readonly cost?: number;
    };

/** A summary of a prefix, prepared while the agent works: valid as long as that prefix stands. */
export interface DraftFact {
  readonly upTo: MessageId;
  /** The summary fold that the prefix began with. */
  readonly after?: string;
  /** What a hook wanted minded when it was written; a draft written by other words is of no use. */
  readonly instructions?: string;
  /** The same of a hook's words for what to write. */
  readonly prompt?: string;
  readonly fact: Extract<Fact, { type: 'summary' }>;
}

/** How much a walk had room for, in tokens: the model's window, and where compaction begins and ends in it. */
export interface WalkRoom {
  readonly window: number;
  readonly trigger: number;
  readonly target: number;
}

/** What one layer did in one walk. */
export interface EditsEntry {
  readonly type: 'edits';
  /** All layers of one walk share the number; undo takes a walk back as a whole. */
  readonly walk: number;
  readonly layer: string;
  readonly trigger: Trigger;
  readonly edits: readonly Edit[];
  /** Of the whole context, before and after this layer. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** True where the walk was made because a limit was reached, not as a matter of course. */
  readonly pressed: boolean;
  /** Where money alone pressed: a cold cache, or the trigger that prices make. Unstated: a limit. */
  readonly cause?: 'cold' | 'price';
  /** How many tokens were to go when the layer's turn came; 0 without pressure on tokens. */
  readonly over: number;
  /** Under pressure, tokens of what is sent besides the messages, where there are any: no walk can free those. */
  readonly overhead?: number;
  /** Of the first entry of a walk, the budget that it was led by. Older journals have none. */
  readonly room?: WalkRoom;
  /** True where the edits change something that a model was already shown: the cached prefix ends there. */
  readonly declared: boolean;
  /** Why now: the cost model's or the layer's own words, for the receipt. */
  readonly reason?: string;
  /** How many entries the walk has, where there are several: one of which a crash left fewer never was. */
  readonly of?: number;
  /** Only reasoning goes that was bound to what stood before it and does not stand there any more. Undo passes it over. */
  readonly unbinds?: true;
}

/** One line of the ledger: something decided, or something told from outside. */
export type Entry =
  | EditsEntry
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'draft'; readonly draft: DraftFact }
  /** A provider's report, and the meter after reading it; a report that was not believed says why. `cost`: where prices are known. */
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      readonly meter?: Meter;
      readonly ignored?: string;
      readonly cost?: number;
    }
  | { readonly type: 'pin'; readonly message: MessageId }
  | { readonly type: 'unpin'; readonly message: MessageId }
  /** A view over the first `count` transcript messages was handed out; or, where it says so, made and kept (`compact()`). */
  | { readonly type: 'seen'; readonly count: number; readonly at?: number; readonly handedOut?: false }
  /**
   * A walk was taken back. `switch`: by a model that need not hide so much, `edit`: it had only put the user's words into the
   * summary; in both cases compaction goes on as always.
   */
  | { readonly type: 'revert'; readonly walk: number; readonly by?: 'switch' | 'edit' };

/** Everything that was decided about a transcript. Plain JSON; only ever appended to. */
export interface Ledger {
  readonly version: 1;
  readonly entries: readonly Entry[];
}

/** Nothing decided yet: what the first `plan()` or `compact()` of a transcript starts from. */
export const emptyLedger: Ledger = { version: 1, entries: [] };
