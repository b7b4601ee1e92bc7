import { CompactionError } from '@palimpsest/core';
import type { KeeperOptions } from '@palimpsest/sdk/keeper';
import { startThreads, type ThreadLoss } from '@palimpsest/sdk/threads';
import { threadFile } from '../thread-file.ts';
import { createBodyKeeper } from './body-keeper.ts';
import type { BodyKeeper } from './body-types.ts';
import { isStoreModule, openStore, type StoreModule, type ThreadData } from './store-module.ts';

export interface BodyKeepersOptions {
  /** In so many worker threads; 0: in this process. */
  readonly workers: number;
  readonly store: KeeperOptions['store'] | StoreModule | undefined;
  readonly live: KeeperOptions['live'] | undefined;
  readonly summaries: 'upstream' | undefined;
  readonly connectMs: number;
  readonly onThreadLost?: ((loss: ThreadLoss) => void) | undefined;
}

/** The body keepers of a gateway, each for its share of the conversations. */
export interface BodyKeepers {
  readonly all: readonly BodyKeeper[];
  /** The one that has the conversations of a key. */
  of(key: string): BodyKeeper;
  readonly threads: { readonly ids: readonly (number | undefined)[]; readonly replaced: number } | undefined;
  /** Saves all. */
  close(): Promise<void>;
  /** Ends the threads at once. */
  end(): Promise<void>;
}

export async function startBodyKeepers(options: BodyKeepersOptions): Promise<BodyKeepers> {
  return options.workers === 0 ? keepHere(options) : keepInThreads(options);
}

async function keepHere({ store, live, summaries, connectMs }: BodyKeepersOptions): Promise<BodyKeepers> {
  const opened = store !== undefined && isStoreModule(store) ? await openStore(store) : undefined;
  const own = opened?.store ?? (store as KeeperOptions['store']);
  const keeper = createBodyKeeper({
    connectMs,
    summaries,
    ...(own === undefined ? {} : { store: own }),
    ...(live === undefined ? {} : { live }),
  });
  return {
    all: [keeper],
    of: () => keeper,
    threads: undefined,
    async close() {
      await keeper.close();
      await opened?.close?.();
    },
    end: async () => {},
  };
}

/** As many as a keeper has at hand, where nobody states it. */
const CONVERSATIONS = 1_000;

async function keepInThreads(options: BodyKeepersOptions): Promise<BodyKeepers> {
  const { workers, store, live, summaries, connectMs, onThreadLost } = options;
  if (store !== undefined && !isStoreModule(store))
    throw new CompactionError(
      'bad-option',
      'a store cannot be handed to worker threads: pass { module, data }, or workers: 0.',
    );
  if (!Number.isSafeInteger(workers) || workers < 0)
    throw new CompactionError('bad-option', `workers is a whole number from 0 on, not ${workers}.`);
  const share = {
    conversations: Math.ceil((live?.conversations ?? CONVERSATIONS) / workers),
    ...(live?.bytes === undefined ? {} : { bytes: Math.ceil(live.bytes / workers) }),
  };
  const data: ThreadData = {
    connectMs,
    summaries,
    live: share,
    ...(store === undefined ? {} : { store: { module: String(store.module), data: store.data } }),
  };
  const threads = startThreads<BodyKeeper>({
    file: threadFile,
    count: workers,
    data,
    ...(onThreadLost === undefined ? {} : { onLost: onThreadLost }),
  });
  // A store that cannot be opened is told at the start.
  await Promise.all(threads.all.map((keeper) => keeper.status())).catch(async (error: unknown) => {
    await threads.end();
    throw error;
  });
  return {
    all: threads.all,
    of: threads.of,
    threads,
    // All of them, even if one is lost: the others are still saving.
    close: async () => void (await Promise.allSettled(threads.all.map((keeper) => keeper.close()))),
    end: () => threads.end(),
  };
}
