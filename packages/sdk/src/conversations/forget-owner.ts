import { CompactionError } from '@palimpsest/core';
import type { ConversationsState } from './conversations-state.ts';
import { learnedKeysOf } from './reading.ts';
import { ownerName } from './stored-name.ts';

/** Whose conversations are to be forgotten: all of a tenant, or those of one group. */
export interface Forgotten {
  readonly tenant: string;
  readonly id: string | undefined;
}

/**
 * Lets go of the conversations at hand, waits until their views are made and their journals closed, and then deletes what the store has.
 * Nothing is written for them after that.
 */
export async function forgetOwner(all: ConversationsState, whose: Forgotten): Promise<void> {
  const { live, groups, learned } = all;
  const { tenant, id } = whose;
  const store = all.storeOf(tenant);
  if (store !== undefined && store.delete === undefined)
    throw new CompactionError('bad-option', 'forget() needs a store that has `delete`.');
  const gone = live.all().filter(({ owner }) => owner.tenant === tenant && (id === undefined || owner.id === id));
  for (const conversation of gone) {
    conversation.isForgotten = true;
    live.forget(conversation);
  }
  all.forgets++;
  if (id === undefined) for (const key of learnedKeysOf(tenant, learned.keys())) learned.delete(key);
  await live.names.whenClosed();
  const prefix = ownerName(whose);
  groups.forget(tenant, prefix);
  const listed = (await store?.list?.({ prefix })) ?? [];
  const names = new Set([...listed.map((one) => one.id), ...gone.flatMap(({ name }) => name ?? [])]);
  for (const name of names) await store?.delete?.(name);
  // A lookup that was under way may have read one before it was deleted.
  groups.forget(tenant, prefix);
}
