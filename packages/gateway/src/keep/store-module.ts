import type { KeeperOptions } from '@palimpsest/sdk/keeper';
import type { BodyKeeperOptions } from './body-keeper.ts';

/** A store that every worker thread opens for itself: a module, and what its default export is called with. */
export interface StoreModule {
  /** Its default export is an `OpenStore`. */
  readonly module: URL | string;
  readonly data: unknown;
}

/** A store, as a thread opened it. */
export interface OpenedStore {
  readonly store: NonNullable<KeeperOptions['store']>;
  readonly close?: () => Promise<void>;
}

/** What such a module exports as its default. */
export type OpenStore = (data: never) => OpenedStore | Promise<OpenedStore>;

/** What a worker thread of a gateway is started with. */
export interface ThreadData extends Omit<BodyKeeperOptions, 'store'> {
  readonly store?: StoreModule;
}

export const isStoreModule = (store: object): store is StoreModule => 'module' in store;

export async function openStore({ module, data }: StoreModule): Promise<OpenedStore> {
  const loaded = (await import(String(module))) as { readonly default: OpenStore };
  return loaded.default(data as never);
}
