import { randomBytes } from 'node:crypto';
import { assistant, type Journal, type JournalRecord, partText } from '@palimpsest/core';
import { asFields, parseJson } from '@palimpsest/core/json';
import type { KeeperOptions } from '@palimpsest/sdk/keeper';
import { createHiddenRounds, type HiddenRounds, type Round } from './hidden-rounds.ts';

/** Hidden rounds that outlive the process where there is a store. */
export interface StoredRounds extends HiddenRounds {
  /** Resolves when all that is stored of a tenant is at hand; never rejects. */
  whenReady(tenant: string): Promise<void>;
  close(): Promise<void>;
}

type Store = Exclude<NonNullable<KeeperOptions['store']>, (tenant: string) => unknown>;

/** Files of so many gateways before this one are read. */
const MOST_READ = 32;

/**
 * Every process writes to a file of its own for each tenant, which nobody else opens; all of the tenant's are read once. What the
 * store does not take or give is missing after a restart, and nothing else.
 */
export function createStoredRounds(stated: KeeperOptions['store']): StoredRounds {
  const memory = createHiddenRounds();
  const loaded = new Map<string, Promise<void>>();
  const journals = new Map<string, Promise<Journal | undefined>>();
  const process = randomBytes(6).toString('hex');
  const storeOf = (tenant: string): Store | undefined => (typeof stated === 'function' ? stated(tenant) : stated);
  const prefixOf = (tenant: string): string => `rounds-${tenant.slice(0, 12)}-`;

  const load = async (tenant: string): Promise<void> => {
    const store = storeOf(tenant);
    const files = (await store?.list?.({ prefix: prefixOf(tenant) })) ?? [];
    for (const { id } of files.slice(0, MOST_READ).reverse())
      for (const record of (await store?.read?.(id))?.records ?? []) {
        const found = readRecord(record);
        if (found !== undefined) memory.remember(tenant, found.key, found.rounds);
      }
  };

  const openJournal = (tenant: string): Promise<Journal | undefined> => {
    const known = journals.get(tenant);
    if (known !== undefined) return known;
    const name = `${prefixOf(tenant)}${process}`;
    const opened = Promise.resolve(storeOf(tenant)?.open(name, { waitMs: 0 }))
      .then((file) => file?.journal)
      .catch(() => undefined);
    journals.set(tenant, opened);
    return opened;
  };

  return {
    find: memory.find,
    remember(tenant, key, rounds) {
      memory.remember(tenant, key, rounds);
      if (stated === undefined) return;
      void openJournal(tenant)
        .then((journal) => journal?.append([writeRecord(key, rounds)]))
        .catch(() => {});
    },
    whenReady(tenant) {
      if (stated === undefined) return Promise.resolve();
      const known = loaded.get(tenant);
      if (known !== undefined) return known;
      const loading = load(tenant).catch(() => void loaded.delete(tenant));
      loaded.set(tenant, loading);
      return loading;
    },
    async close() {
      const opened = await Promise.all(journals.values());
      await Promise.all(opened.map((journal) => journal?.close?.()));
    },
  };
}

const writeRecord = (key: string, rounds: readonly Round[]): JournalRecord => ({
  v: 1,
  type: 'message',
  message: { ...assistant(JSON.stringify(rounds)), id: key, origin: 'palimpsest' },
});

function readRecord(record: JournalRecord): { readonly key: string; readonly rounds: readonly Round[] } | undefined {
  if (record.type !== 'message') return undefined;
  const { id, parts } = record.message;
  const rounds = parseJson(parts.map(partText).join(''));
  const isRound = (one: unknown): boolean => Array.isArray(asFields(one).parts) && Array.isArray(asFields(one).results);
  return Array.isArray(rounds) && rounds.every(isRound) ? { key: id, rounds: rounds as readonly Round[] } : undefined;
}
