export * from './anthropic-messages.ts';
export * from './gemini.ts';
export { messageIds } from './message-ids.ts';
export * from './openai-chat.ts';
export * from './openai-responses.ts';
export * from './overflow.ts';
export * from './wire.ts';
