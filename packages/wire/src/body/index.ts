/** What a format is built of: a wire here, or an SDK's own form of messages elsewhere. */
export * from './call-ids.ts';
export * from './media.ts';
export * from './mend.ts';
export * from './message-ids.ts';
export * from './native.ts';
export * from './opening.ts';
export * from './splice.ts';
export * from './tool-names.ts';
export * from './well-formed.ts';
