import type { Trigger } from '../ledger/ledger.ts';
import type { Message, NewMessage } from '../message/message.ts';
import type { Receipt } from '../view/receipt.ts';
import type { SummaryRequest } from './summarizer.ts';

/**
 * What a host may say before and after history is summarized. Awaited, 10 s where there is a clock; a hook that fails or
 * is late is as if it said nothing, and an event tells. The signal is aborted once nobody waits for the hook any more.
 */
export interface Hooks {
  before?(compaction: {
    readonly trigger: Trigger;
    readonly instructions?: string;
    readonly signal: AbortSignal;
  }): Promise<BeforeAnswer | undefined> | BeforeAnswer | undefined;
  /**
   * What the model that writes a summary is to be shown in place of these messages: the live conversation (`same-prefix`) or
   * the part that is summarized (`stand-alone`). It changes this one request and nothing else; nothing said changes nothing.
   * What it answers comes in by the same door as any message: a list that is none, that parts calls from their results or
   * has empty messages is not used, and an event tells. Ordinary requests the host sends itself, so it needs no hook for them.
   */
  transform?(request: {
    readonly messages: readonly Message[];
    readonly form: SummaryRequest['form'];
    readonly signal: AbortSignal;
  }): Promise<readonly NewMessage[] | undefined> | readonly NewMessage[] | undefined;
  /** Heard once the compaction stands: whatever it answers takes nothing back. */
  after?(compaction: {
    readonly receipt: Receipt;
    readonly signal: AbortSignal;
  }): Promise<AfterAnswer | undefined> | AfterAnswer | undefined;
}

/** What a hook may say before a summary is written; saying nothing lets it be written. */
export interface BeforeAnswer {
  /** Added behind the user's own instructions; 2,000 tokens or 5 % of the effective window at most, else cut in the middle. */
  readonly instructions?: string;
  /** Shown to the user through the `hook-spoke` event. */
  readonly message?: string;
  /** A reason not to summarize now. Under pressure the next layers still make the view fit. */
  readonly veto?: string;
  /**
   * What the summary is to be, in place of the usual request and its form; bounded as `instructions` are. That there are no
   * tools, what part of the conversation it is about, and the earlier summary are told all the same.
   */
  readonly prompt?: string;
  /** False: where the preset has a synthetic message tell the model to go on after an automatic compaction, it does not. */
  readonly autoContinue?: boolean;
}

/** What a hook may add to the view once the summary stands. */
export interface AfterAnswer {
  /**
   * Put behind everything else, as the host's words: 2,000 tokens, 5 % of the effective window or half of the room below
   * the trigger at most, else cut in the middle; nothing where there is no room.
   */
  readonly context?: string;
}
