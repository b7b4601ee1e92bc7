import type { Json, Message, NativeEdit, Usage, WireRules } from '@palimpsest/core';

export interface Decoded {
  readonly messages: readonly Message[];
  /** The system prompt's text, for the meter; the body keeps it. */
  readonly system: string;
  /** Tool definitions as they are sent, for the meter. */
  readonly tools: readonly Json[];
  /** Index of the message with the newest server-side compaction: what stands before it lives on in that block. */
  readonly boundary?: number;
  /** The server holds an earlier part of the conversation, so results may answer calls that are not in here. */
  readonly partial: boolean;
  readonly rules: WireRules;
}

export interface EncodeOptions {
  readonly nativeEdits?: readonly NativeEdit[];
  /** Place cache breakpoints where the caller set none (Anthropic). */
  readonly cacheBreakpoints?: boolean;
}

export interface Encoded<Body> {
  readonly body: Body;
  /** To be joined with the caller's: `anthropic-beta` is a list with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

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

export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Violation {
  /** Where, as the providers write it: `messages.3.content.0`. */
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

export interface ValidateOptions<Body> {
  /** The body that was sent before this one; shows what became of signed reasoning. */
  readonly previous?: Body;
}

/**
 * A provider's request format. Law: `encode(decode(body).messages, body).body` deep-equals `body`, whatever blocks and
 * fields it has; what a view leaves unchanged at its head is sent exactly as the caller sent it.
 */
export interface Wire<Body extends object> {
  readonly name: string;
  decode<B extends Body>(body: B): Decoded;
  encode<B extends Body>(messages: readonly Message[], body: B, options?: EncodeOptions): Encoded<B>;
  /** Of a whole response, or of a stream's event that carries usage; of several events the later one wins. */
  usage(response: unknown): Reported;
  /** Undefined where nothing failed. A response with status 200 may have: by its stop reason, or by an error event. */
  failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined;
  /** What the provider would refuse; empty for a good body. */
  validate<B extends Body>(body: B, options?: ValidateOptions<Body>): readonly Violation[];
}
