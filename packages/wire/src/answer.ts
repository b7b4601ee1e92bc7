import type { Part, Usage } from '@palimpsest/core';

/**
 * Why a model stopped: `end` of its own accord, `tool` to have tools called, `length` at the limit that the request set,
 * `window` at the end of the context window.
 */
export type StopReason = 'end' | 'tool' | 'length' | 'window' | 'other';

/** A piece of an answer, as it comes. */
export type AnswerDelta =
  | { readonly type: 'text-added'; readonly text: string }
  | { readonly type: 'reasoning-added'; readonly text: string };

/** A whole answer: what the assistant's message says, why it ended there, what it cost. */
export interface Answer {
  readonly parts: readonly Part[];
  readonly stop: StopReason;
  readonly usage: Usage;
}

/** Puts one answer together in the provider's own form, so that the wire reads it as it reads any other message. */
export interface AnswerCollector {
  /** An event of a stream, or a response that came whole. */
  take(event: unknown): readonly AnswerDelta[];
  /** Undefined until the provider says that the answer is over. */
  readonly stop: StopReason | undefined;
  parts(): readonly Part[];
}

/** A provider's word for why it stopped, where there is one. */
export const readStop = (reason: unknown, known: Readonly<Record<string, StopReason>>): StopReason | undefined =>
  typeof reason === 'string' && reason !== '' ? (known[reason] ?? 'other') : undefined;

/** Deltas for what is not empty. */
export const addText = (text: unknown): readonly AnswerDelta[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text-added', text }] : [];

export const addReasoning = (text: unknown): readonly AnswerDelta[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'reasoning-added', text }] : [];
