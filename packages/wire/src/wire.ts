import type { Json, Limits, Message, MessageId, NativeEdit, Usage, WireRules } from '@palimpsest/core';

/** What a request body says, in core's own vocabulary. */
export interface Decoded {
  /** Their ids hash all up to them (`messageIds`), so the same history has the same ids in every request. */
  readonly messages: readonly Message[];
  /** The system prompt's text, for the meter; the body keeps it. */
  readonly system: string;
  /** Tool definitions as they are sent, for the meter. */
  readonly tools: readonly Json[];
  /** Index of the message with the newest server-side compaction: what stands before it lives on in that block. */
  readonly boundary?: number;
  /** Index of the first message that still counts, where it is not the boundary: what the server kept in front of it. */
  readonly from?: number;
  /** The server holds an earlier part of the conversation, so results may answer calls that are not in here. */
  readonly partial: boolean;
  /** What a session that makes views for this body takes as its `wire`. */
  readonly rules: WireRules;
  /** What the provider limits besides tokens. */
  readonly limits?: Limits;
}

/** What the body is to ask of the provider besides; nothing by default. */
export interface EncodeOptions {
  /** A view's `native`. */
  readonly nativeEdits?: readonly NativeEdit[];
  /** Place cache breakpoints where the caller set none (Anthropic); `edited`: only in a body that is not sent as it came. */
  readonly cacheBreakpoints?: boolean | 'edited';
  /** What `decode` called the messages of this very body, all of them: whoever has just decoded it spares reading them again. */
  readonly ids?: readonly MessageId[];
}

/** What tools are called on the wire, each with its own name. */
export type ToolNameMap = Readonly<Record<string, string>>;

/** What to send in place of the body that came in. */
export interface Encoded<Body> {
  readonly body: Body;
  /** To be joined with the caller's: `anthropic-beta` is a list with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The tools that go by another name in the body, because the provider does not take their own: the answer uses it too. */
  readonly names?: ToolNameMap;
}

/** What the provider cleared from its own context: so many tokens, in so many results or turns of reasoning. */
export interface AppliedEdit {
  readonly type: 'clear-results' | 'clear-reasoning';
  readonly tokens: number;
  readonly count: number;
}

/** What a response says about its cost. `usage.input` excludes what was read from or written to a cache. */
export interface Reported {
  readonly usage: Usage;
  readonly appliedEdits: readonly AppliedEdit[];
  /** What server-side compaction cost, which `usage` does not contain. */
  readonly compaction?: Usage;
}

/** Why there is no answer, by what to do about it: `overflow`, send less; the next three, wait; the rest, tell somebody. */
export type Failure =
  | {
      readonly type: 'overflow';
      /** The window, where the provider stated it in tokens. */
      readonly maximum?: number;
      /** The size that was compared with it, where it was stated. */
      readonly actual?: number;
      readonly message: string;
    }
  | { readonly type: 'rate-limited'; readonly retryAfterMs?: number; readonly message: string }
  | { readonly type: 'overloaded'; readonly retryAfterMs?: number; readonly message: string }
  | { readonly type: 'server'; readonly retryAfterMs?: number; readonly message: string }
  | { readonly type: 'auth'; readonly message: string }
  | { readonly type: 'quota'; readonly message: string }
  | { readonly type: 'invalid'; readonly message: string };

/** A response's headers, as `fetch` gives them or as a plain object. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Something that the provider would refuse. */
export interface Violation {
  /** Where, as the providers write it: `messages.3.content.0`. */
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** For what a body alone does not show. */
export interface ValidateOptions<Body> {
  /** The body that was sent before this one; shows what became of signed reasoning. */
  readonly previous?: Body;
}

/**
 * A provider's request format. Law: `encode(decode(body).messages, body).body` deep-equals `body`, whatever blocks and
 * fields it has; what a view leaves unchanged at its head is sent exactly as the caller sent it. One exception: halves of
 * surrogate pairs and names of tools and calls that the provider refuses are mended wherever they stand, or a
 * conversation that once had one would be refused for ever.
 */
export interface Wire<Body extends object> {
  readonly name: string;
  /** The conversation in a body, which stays as it is. */
  decode<B extends Body>(body: B): Decoded;
  /** The body with a view in place of its messages; everything else in it stays. */
  encode<B extends Body>(messages: readonly Message[], body: B, options?: EncodeOptions): Encoded<B>;
  /** Of a whole response, or of a stream's event that carries usage; of several events the later one wins. */
  usage(response: unknown): Reported;
  /** Undefined where nothing failed. A response with status 200 may have: by its stop reason, or by an error event. */
  failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined;
  /** What the provider would refuse; empty for a good body. */
  validate<B extends Body>(body: B, options?: ValidateOptions<Body>): readonly Violation[];
}
