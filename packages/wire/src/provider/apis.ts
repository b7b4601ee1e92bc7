import type { AnswerCollector } from '../answer.ts';
import { anthropicMessages } from '../anthropic-messages/anthropic-messages.ts';
import { collectAnswer as collectAnthropic } from '../anthropic-messages/collect-answer.ts';
import { collectAnswer as collectGemini } from '../gemini/collect-answer.ts';
import { gemini } from '../gemini/gemini.ts';
import { collectAnswer as collectChat } from '../openai-chat/collect-answer.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { collectAnswer as collectResponses } from '../openai-responses/collect-answer.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import type { Wire } from '../wire.ts';

/** Which of the four formats a model is spoken to in. */
export type ApiName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** How one API is reached and read, as data. */
export interface Api {
  readonly wire: Wire<never>;
  /** The vendor's own, as its SDK takes it. */
  readonly baseUrl: string;
  /** The variable in which the vendor's SDK looks for the key. */
  readonly keyName: string;
  readonly path: (model: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>;
  readonly collectAnswer: () => AnswerCollector;
}

const OPENAI = {
  baseUrl: 'https://api.openai.com/v1',
  keyName: 'OPENAI_API_KEY',
  headers: {},
  keyHeaders: (key: string) => ({ authorization: `Bearer ${key}` }),
} as const;

/** The four, by name. */
export const apis: Readonly<Record<ApiName, Api>> = {
  anthropic: {
    wire: anthropicMessages as Wire<never>,
    baseUrl: 'https://api.anthropic.com',
    keyName: 'ANTHROPIC_API_KEY',
    path: () => '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    keyHeaders: (key) => ({ 'x-api-key': key }),
    collectAnswer: collectAnthropic,
  },
  'openai-chat': {
    ...OPENAI,
    wire: openaiChat as Wire<never>,
    path: () => '/chat/completions',
    collectAnswer: collectChat,
  },
  'openai-responses': {
    ...OPENAI,
    wire: openaiResponses as Wire<never>,
    path: () => '/responses',
    collectAnswer: collectResponses,
  },
  gemini: {
    wire: gemini as Wire<never>,
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyName: 'GEMINI_API_KEY',
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers: {},
    keyHeaders: (key) => ({ 'x-goog-api-key': key }),
    collectAnswer: collectGemini,
  },
};
