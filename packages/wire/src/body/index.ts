/** What a format is built of: a wire here, or an SDK's own form of messages elsewhere. */
export * from './media.ts';
export * from './message-ids.ts';
export * from './native.ts';
export * from './opening.ts';
export * from './splice.ts';
