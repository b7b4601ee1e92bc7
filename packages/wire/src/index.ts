export * from './anthropic-messages.ts';
export * from './wire.ts';
