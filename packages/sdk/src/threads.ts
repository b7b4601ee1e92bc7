export { serveThread } from './threads/serve-thread.ts';
export type { Remote } from './threads/thread.ts';
export {
  startThreads,
  type ThreadLoss,
  ThreadLostError,
  type Threads,
  type ThreadsOptions,
} from './threads/threads.ts';
