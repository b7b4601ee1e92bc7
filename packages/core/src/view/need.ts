import type { Trigger } from '../ledger/ledger.ts';
import type { ItemUpdate } from '../ledger/summary-item.ts';
import type { Message, MessageId } from '../message/message.ts';
import type { SummaryTemplate } from './summary-template.ts';

/** What the statements of a summary are brought up to date from. */
export interface ItemBase extends Pick<ItemUpdate, 'items' | 'left' | 'lastItem'> {
  /** The tokens that all of them may take together. */
  readonly room: number;
  /** The place in the transcript of the source's first message, and the index in the source from which on all is news. */
  readonly first: number;
  readonly since: number;
}

/** Which part of the conversation is summarized: all of it, what is older than something kept, or what is newer. */
export type SummaryScope = 'all' | 'up-to' | 'from';

/** What a layer cannot have by looking: it is fetched outside and comes back as a fact under the same key. */
export type Need =
  | { readonly type: 'stash'; readonly key: string; readonly text: string }
  | {
      readonly type: 'summary';
      readonly key: string;
      /** The messages to summarize, as the view shows them. */
      readonly span: readonly Message[];
      readonly scope: SummaryScope;
      /** The whole view, for a request that shares its prefix. */
      readonly live: readonly Message[];
      readonly liveTokens: number;
      /**
       * Set where the request may share that prefix: how the span's first message begins (scope `from`), or else its last.
       */
      readonly opening?: string;
      readonly previous?: string;
      readonly instructions?: string;
      /** The form of the answer, and the host's own words for what to write, where they are not the usual ones. */
      readonly template?: SummaryTemplate;
      readonly prompt?: string;
      /** Where the form is one of statements: those that stand now. */
      readonly statements?: ItemBase;
      /** What the model is asked to keep to, and the most that is taken. */
      readonly maxTokens: number;
      readonly mostTokens: number;
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
      /** From more uses of tools on than these, whatever their tokens. Counts before `triggerTokens`. */
      readonly triggerCount?: number;
      readonly atLeastTokens?: number;
      readonly exceptTools?: readonly string[];
      readonly clearInputs?: boolean;
    }
  | { readonly type: 'clear-reasoning'; readonly keep: number };
