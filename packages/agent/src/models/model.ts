import type { Json, Message, NativeEdit, Part, Prices, Usage, WireRules } from '@palimpsest/core';

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: Json;
}

/** One call to the model. */
export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** The view. */
  readonly messages: readonly Message[];
  /** What the provider is asked to clear by itself; wires that know no such thing leave it out. */
  readonly native?: readonly NativeEdit[];
  /** Less than the model's usual, for a summary. */
  readonly maxOutput?: number;
}

/** Why the model stopped: `end` of its own accord, `tool` to have tools called, `length` cut off. */
export type Stop = 'end' | 'tool' | 'length' | 'other';

/** What a model streams back. */
export type ModelEvent =
  | { readonly type: 'text-added'; readonly text: string }
  | { readonly type: 'reasoning-added'; readonly text: string }
  /** The provider is busy or away; the request goes out again after the wait. What came before is void. */
  | { readonly type: 'wait-started'; readonly why: string; readonly waitMs: number }
  /** Always last, exactly once. */
  | { readonly type: 'answer-ended'; readonly parts: readonly Part[]; readonly stop: Stop; readonly usage: Usage };

/** The port. What goes wrong is thrown as an AgentError; an abort passes through. */
export interface Model {
  readonly name: string;
  readonly window: number;
  /** The most tokens an answer may have; the window must hold them besides the request. */
  readonly maxOutput?: number;
  readonly wire?: WireRules;
  /** What its tokens cost, where that is known. */
  readonly prices?: Prices;
  /**
   * False for a program: it writes no summaries, so the digest is the summary, and it takes one request at a time, so what
   * is said while it works waits for the end of the turn.
   */
  readonly isLanguageModel: boolean;
  stream(request: ModelRequest, options: { readonly signal?: AbortSignal }): AsyncIterable<ModelEvent>;
}
