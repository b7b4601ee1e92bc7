export type { Fsync } from './durable-file.ts';
export { type FileStoreOptions, fileStore } from './file-store.ts';
export { memoryStore } from './memory-store.ts';
export type { ListOptions, OpenOptions, SessionInfo, SessionSnapshot, Store, StoredSession } from './store.ts';
export { type AboutStoreError, type Holder, type StoreCode, StoreError } from './store-error.ts';
