import type { ApiName } from '@palimpsest/wire';
import { mergeAnthropicAnswers, mergeAnthropicStream } from './merge/merge-anthropic.ts';
import { mergeChatAnswers, mergeChatStream } from './merge/merge-chat.ts';
import { mergeGeminiAnswers, mergeGeminiStream } from './merge/merge-gemini.ts';
import { mergeResponsesAnswers, mergeResponsesStream } from './merge/merge-responses.ts';
import type { AnswerMerger, StreamMerger } from './merge/merger.ts';

/** How rounds become one answer, on every wire. */
export const MERGERS: Readonly<
  Record<ApiName, { readonly stream: () => StreamMerger; readonly answers: AnswerMerger }>
> = {
  anthropic: { stream: mergeAnthropicStream, answers: mergeAnthropicAnswers },
  'openai-chat': { stream: mergeChatStream, answers: mergeChatAnswers },
  'openai-responses': { stream: mergeResponsesStream, answers: mergeResponsesAnswers },
  gemini: { stream: mergeGeminiStream, answers: mergeGeminiAnswers },
};
