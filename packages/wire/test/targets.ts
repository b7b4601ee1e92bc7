import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Wire,
} from '../src/index.ts';

/** Wires of different bodies in one list. */
export const any = <B extends object>(wire: Wire<B>): Wire<never> => wire as unknown as Wire<never>;

/** Every provider format, and those models whose rules are stricter, with a body to encode into. */
export const targets = [
  { label: 'anthropic', wire: any(anthropicMessages), template: { model: 'claude-haiku-4-5', messages: [] } },
  {
    label: 'anthropic, thinking bound',
    wire: any(anthropicMessages),
    template: { model: 'claude-opus-5-5', messages: [] },
  },
  { label: 'chat', wire: any(openaiChat), template: { messages: [] } },
  { label: 'chat, alternating', wire: any(openaiChatAlternating), template: { messages: [] } },
  { label: 'responses', wire: any(openaiResponses), template: { input: [] } },
  { label: 'gemini', wire: any(gemini), template: { contents: [] } },
] as const;
