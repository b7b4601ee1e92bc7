import type { PresetName, Receipt, Session } from '@palimpsest/core';
import type { ApiName, Failure, HeaderSource, ToolNameMap } from '@palimpsest/wire';
import type { Answered, FoundHow, GroupRecall, KeepOptions, LiveSession } from '../conversations/keep-options.ts';
import type { AnswerWatch } from '../http/watch-answer.ts';

/** What goes with a request that the keeper itself makes: the request for a summary. */
export interface UpstreamRequest {
  readonly wire: ApiName;
  readonly model: string;
  /** Of the newest request of that conversation, as `keep` was given them; the keeper neither reads nor writes them down. */
  readonly credentials: unknown;
  /** Headers that change what the provider makes of the body: `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a body to the provider behind a conversation and brings the raw response. */
export type SendUpstream = (body: object, request: UpstreamRequest) => Promise<Response>;

/** As the integrations' options, with what only a host of many conversations says. */
export interface KeeperOptions extends Omit<KeepOptions, 'window' | 'key'> {
  /** As elsewhere; may be left away where every request states its own. */
  readonly window?: KeepOptions['window'];
  /**
   * `upstream`: summaries are asked of each conversation's own model, by its newest request's wire, model and credentials,
   * through `send`. Without it `ports.summarizer` serves, or the digest.
   */
  readonly summarizer?: 'upstream';
  readonly send?: SendUpstream;
}

/** One request of a client, as it came. */
export interface KeepRequest<Body extends object = object> {
  readonly wire: ApiName;
  /** Parsed; it is not changed. */
  readonly body: Body;
  /** Whose request it is: nothing that one tenant said reaches another. One and the same without it. */
  readonly tenant?: string | undefined;
  /** The client's own id. It groups: inside a group the longest common beginning chooses the session; recall is shared. */
  readonly id?: string | undefined;
  /** As the body says without it; Gemini's stands in the path. */
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  /** Which layers lead this conversation's views from this request on; the keeper's own without it. */
  readonly preset?: PresetName | undefined;
  /** Whether the model can read what a notice names. As the body's tools say without it. */
  readonly canRecall?: boolean | undefined;
  /** Headers that change what the provider makes of the body: `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Handed to `send` with requests for summaries; in memory alone, and only the newest. */
  readonly credentials?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** What to send in place of a client's body. */
export interface KeptBody<Body extends object = object> {
  readonly body: Body;
  /** False: nothing was edited, the client's own bytes can be sent as they came. */
  readonly changed: boolean;
  /** To be joined with the client's: `anthropic-beta` is a list with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Tools that go by another name in the body; the answer uses it too. */
  readonly names?: ToolNameMap;
  /** Of what was sent, in calibrated tokens, with system prompt and tools. */
  readonly tokens: number;
  /** Set where this body hides something that the one before did not. */
  readonly receipt?: Receipt;
}

/** What a provider answered in place of an answer. */
export interface ProviderRefusal {
  readonly status: number;
  /** Parsed where it is JSON. */
  readonly body?: unknown;
  readonly headers?: HeaderSource;
}

/** A request that is kept: what to send, and what is to be told about how it went. */
export interface KeptRequest<Body extends object = object> extends KeptBody<Body> {
  /** The session's own id: its name in the store, in events and in receipts. */
  readonly id: string;
  readonly session: Session;
  readonly how: FoundHow;
  /** The session that this one was forked from, or that its client compacted. */
  readonly parent?: string;
  /** Of all that was said, in calibrated tokens: what goes on, and what every compaction that stands took out. */
  readonly tokensBefore: number;
  /** Reads and searches the session, and the others of its group behind it; those that only the store has once `prepare` was waited for. */
  readonly recall: GroupRecall;
  /** The provider's whole answer, parsed. What failed is told too: see `fail`. */
  hear(answer: unknown): void;
  /** The same, where somebody else has read it off the answer. */
  note(reported: Answered): void;
  /** For an answer that comes as a stream. */
  watch(): AnswerWatch;
  /**
   * What the provider refused. Too long: a smaller body to send instead, or undefined where nothing more can go. Anything
   * else: undefined, and the refusal is the client's.
   */
  fail(refusal: ProviderRefusal | Failure): Promise<KeptBody<Body> | undefined>;
  /**
   * Nothing more comes of this request. Other processes with the same store may have the conversation from now on; once an
   * answer was heard they may in any case.
   */
  release(): void;
}

/** What a keeper has at hand. */
export interface KeeperStatus {
  readonly conversations: number;
  /** About what they take in memory. */
  readonly bytes: number;
}

/** Keeps the conversations of many clients, each within its window. */
export interface Keeper {
  /**
   * The body that goes in place of the client's. Undefined: the server holds a part of the conversation, or there is nothing
   * to keep; the body must go as it is. What it throws has changed nothing for the next request.
   */
  keep<Body extends object>(request: KeepRequest<Body>): Promise<KeptRequest<Body> | undefined>;
  /** The session of that id, where it is at hand, for those who have the tenant's word. */
  find(id: string, tenant?: string): Session | undefined;
  /** The sessions at hand, of all tenants, the one that was used last first: for whoever runs the server. */
  list(): readonly LiveSession[];
  status(): KeeperStatus;
  /**
   * Forgets all conversations of a tenant, or those of one of its groups: resolves when none of them is in memory or in the
   * store, for `find` and for recall. Views being made end first, and nothing of them is written back. Rejects with
   * `locked` where another process is in the middle of a turn: call it again, and in every process that serves the tenant.
   * A request that comes later with the same history begins anew.
   */
  forget(tenant: string, id?: string): Promise<void>;
  /** Resolves when all is saved and closed. Later requests begin with what the store holds. */
  close(): Promise<void>;
}
