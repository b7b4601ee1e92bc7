import { asFields } from '@palimpsest/core/json';
import type { StoredConversation } from './conversation-state.ts';
import type { ConversationStore } from './keep-options.ts';
import type { Messages } from './reading.ts';

/** One that was just evicted may still be closing. */
const EVICTION_MS = 5_000;

/**
 * The stored conversation that these messages continue; branches of one beginning have numbers behind its name. `takeName`
 * says whether a name is free in this process, and reserves it.
 */
export async function openStored(
  store: ConversationStore,
  messages: Messages,
  takeName: (name: string) => boolean,
): Promise<StoredConversation> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? messages[0].id : `${messages[0].id}-${n}`;
    if (!takeName(name)) continue;
    const stored = await store.open(name, { waitMs: EVICTION_MS }).catch(ignoreLocked);
    if (stored === undefined) continue;
    const saved = stored.records.flatMap((record) => (record.type === 'message' ? [record.message.id] : []));
    if (saved.every((id, i) => id === messages[i]?.id)) return { ...stored, count: saved.length };
    await stored.journal.close();
  }
}

/** Another process has a conversation with the same beginning: this one is a branch. */
function ignoreLocked(error: unknown): undefined {
  if (asFields(error).code !== 'locked') throw error;
}
