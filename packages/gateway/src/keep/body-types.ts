import type { MissingText, Part, PresetName } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { ListedSession } from '@palimpsest/inspector';
import type { Answered, KeeperStatus, KeptBody } from '@palimpsest/sdk/keeper';
import type { ApiName, Failure } from '@palimpsest/wire';
import type { Round } from '../recall/hidden-rounds.ts';

/** A request's body as it came. */
export interface ToOpen {
  readonly id: string;
  readonly api: ApiName;
  readonly bytes: Uint8Array;
  /** Its content codings, as the header names them. */
  readonly coding: string;
  readonly mostBytes: number;
}

/** What is known of a body once it was read. */
export interface OpenedBody {
  /** Set where it cannot be taken. */
  readonly refused?: { readonly status: 400 | 413; readonly message: string };
  /** Decompressed; undefined where that is not possible. */
  readonly size: number | undefined;
  /** Its fields without what was said: lists of messages and tools are empty, texts are left out. Undefined: it is no JSON object. */
  readonly brief: Fields | undefined;
}

/** How a body is to be kept. */
export interface ToKeep {
  /** Fields that are left out of what is sent. */
  readonly omitted: readonly string[];
  readonly model: string;
  readonly tenant: string;
  readonly group: string | undefined;
  readonly window: number;
  readonly preset: PresetName | undefined;
  readonly betas: string | undefined;
  readonly credentials: unknown;
  /** In memory, without the store. */
  readonly isSpare: boolean;
  /** Leaves what the provider would clear by itself to us, at an upstream that cannot. */
  readonly isUnmanaged: boolean;
  /** The model gets the recall tool, and sees the rounds that the client never saw: those of earlier requests, and these. */
  readonly rounds?: readonly Round[];
}

/** A body that goes in place of the client's. */
export interface WrittenBody extends Omit<KeptBody, 'body'> {
  /** Undefined: the client's own bytes can be sent as they came. */
  readonly bytes: Uint8Array | undefined;
}

/** A conversation's view, written. */
export interface KeptView extends WrittenBody {
  readonly id: string;
  readonly tokensBefore: number;
  readonly missing: readonly MissingText[] | undefined;
  /** Set where system prompt and tools nearly fill the window. */
  readonly crowded: { readonly window: number; readonly fixed: number; readonly isMeasured: boolean } | undefined;
}

/** `no-tool`: the recall tool cannot be given to this request. `not-kept`: it must go as it came; `why` where that could be too long. */
export type KeepAnswer =
  | { readonly type: 'kept'; readonly view: KeptView }
  | { readonly type: 'no-tool' }
  | { readonly type: 'not-kept'; readonly why: string | undefined };

/** What a round of the model comes to. */
export interface RoundAnswer {
  readonly type: 'last' | 'go-on';
  readonly round: Round;
  readonly words?: string;
}

/** A request of the inspector's page. */
export interface PageRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly path: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * Everything that is done with bodies and the conversations in them: in the process of the gateway, or in a worker thread. A body is
 * named by its request. What it does not know (it may have begun anew since) is refused with the code `unknown-body`.
 */
export interface BodyKeeper {
  open(body: ToOpen): Promise<OpenedBody>;
  keep(id: string, how: ToKeep, signal: AbortSignal): Promise<KeepAnswer>;
  /** Of what was kept last: a smaller body, or undefined where nothing more can go. */
  shrink(id: string, failure: Failure): Promise<WrittenBody | undefined>;
  /** What the provider reported of what was kept last. */
  note(id: string, reported: Answered): Promise<void>;
  /** Answers the calls of the recall tool. `rounds`: those of this request so far; of the last one the answer is remembered. */
  lookUp(id: string, parts: readonly Part[], rounds: readonly Round[]): Promise<RoundAnswer>;
  /** The body without some fields. */
  write(id: string, omitted: readonly string[]): Promise<Uint8Array>;
  /** About how many tokens it takes as it came. */
  count(id: string): Promise<number>;
  /** Compacts the conversation now, and keeps the body again. */
  compact(id: string): Promise<void>;
  /** The body is not needed any more; what is reported of it still is. */
  drop(id: string): Promise<void>;
  /** The request is over. */
  end(id: string): Promise<void>;
  status(): Promise<KeeperStatus>;
  /** The conversations at hand, of one tenant or of all. */
  list(tenant: string | undefined): Promise<readonly ListedSession[]>;
  /** Undefined: no such conversation is at hand. */
  inspect(
    session: string,
    tenant: string | undefined,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<PageAnswer | undefined>;
  close(): Promise<void>;
}
