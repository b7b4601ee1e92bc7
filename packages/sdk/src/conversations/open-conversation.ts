import type { Conversation, Opening } from './conversation.ts';
import type { Kept } from './conversation-state.ts';
import type { ConversationsState } from './conversations-state.ts';
import type { FoundLive } from './find-live.ts';
import { findStored, ignoreUnusable, openStored } from './find-stored.ts';
import type { ConversationStore } from './keep-options.ts';
import { openLate } from './late-journal.ts';
import type { Owner, Reading } from './reading.ts';
import { beginningName, firstName, groupName, unansweredName } from './stored-name.ts';

/** Where a conversation leaves another. */
export type FoundAt = FoundLive;

/** What is known of a conversation that is not at hand: what it leaves, and its name in the store. */
interface Known {
  readonly from: FoundAt | undefined;
  readonly stored: string | undefined;
}

/** What a conversation begins with: what the store has of it, or another's beginning, or nothing. */
export async function openConversation(
  all: ConversationsState,
  conversation: Conversation,
  reading: Reading<unknown>,
  { from, stored: known }: Known,
): Promise<Opening> {
  const store = all.storeOf(reading.owner.tenant);
  const stored = store === undefined ? undefined : await restore(all, store, reading, from?.depth ?? 0, known);
  if (stored?.kept !== undefined) {
    all.live.names.noteName(conversation, stored.name);
    const id = idIn(stored.name);
    if (OWN_ID.test(id)) all.live.rename(conversation, id);
    return { how: 'restored', kept: stored.kept, beginning: stored.beginning };
  }
  const kept = store === undefined ? undefined : keepLate(all, store, conversation);
  if (stored !== undefined) return { how: 'forked', parent: idIn(stored.name), kept, beginning: stored.beginning };
  const beginning = await from?.conversation.share(from.depth);
  if (from !== undefined && beginning !== undefined)
    return { how: 'forked', parent: from.conversation.id, kept, beginning };
  const parent = await findCompacted(all, store, conversation, reading);
  return parent === undefined ? { how: 'begun', kept } : { how: 'client-compacted', parent, kept };
}

async function restore(
  { live }: ConversationsState,
  store: ConversationStore,
  reading: Reading<unknown>,
  atLeast: number,
  known: string | undefined,
) {
  const prefix = beginningName(reading.owner, reading.messages, reading.trace);
  // One that was just evicted may still be closing.
  if (prefix !== undefined) await live.names.whenClosed(prefix);
  const named = known === undefined ? undefined : await openStored(store, reading, atLeast, known);
  return named ?? findStored(store, reading, atLeast, live.names.isOpen);
}

/** Under a name of its own, so that nobody else can be in the way. */
function keepLate({ live }: ConversationsState, store: ConversationStore, conversation: Conversation): Kept {
  return openLate(async () => {
    const { id, owner, trace, session } = conversation;
    const told = session?.transcript() ?? [];
    const prefix = beginningName(owner, told, trace) ?? unansweredName(owner);
    const first = store.list === undefined ? await openEmpty(store, firstName(prefix)) : undefined;
    const name = first === undefined ? `${prefix}${id}` : firstName(prefix);
    const opened = first ?? (await store.open(name, { waitMs: 0 }));
    live.names.noteName(conversation, name);
    return opened;
  });
}

async function openEmpty(store: ConversationStore, name: string): Promise<Kept | undefined> {
  const opened = await store.open(name, { waitMs: 0 }).catch(ignoreUnusable);
  if (opened === undefined || opened.records.length === 0) return opened;
  await opened.journal.close();
  return undefined;
}

/** Where a store cannot list what it has, names end otherwise. */
const OWN_ID = /^s[0-9a-f]{16}$/;

const idIn = (name: string): string => name.slice(name.lastIndexOf('-') + 1);

/** A client that compacts by itself goes on with this many messages at most. */
const MOST_LEFT = 3;

/** The conversation of the same group that a client left behind as it began anew; recall reaches back to it. */
async function findCompacted(
  { live }: ConversationsState,
  store: ConversationStore | undefined,
  conversation: Conversation,
  { owner, messages }: Reading<unknown>,
): Promise<string | undefined> {
  if (owner.id === undefined || messages.length > MOST_LEFT) return undefined;
  const longer = live.listGroup(owner).find((one) => one !== conversation && one.told.length > MOST_LEFT);
  if (longer !== undefined) return longer.id;
  const [newest] = (await listStored(store, owner)).filter((name) => !live.names.isOpen(name));
  const snapshot = newest === undefined ? undefined : await store?.read?.(newest).catch(() => undefined);
  if (newest === undefined || snapshot === undefined) return undefined;
  const count = snapshot.records.filter(({ type }) => type === 'message').length;
  return count > MOST_LEFT ? idIn(newest) : undefined;
}

const listStored = async (store: ConversationStore | undefined, owner: Owner): Promise<readonly string[]> =>
  ((await store?.list?.({ prefix: groupName(owner) })) ?? []).map(({ id }) => id);
