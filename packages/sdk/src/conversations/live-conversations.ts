import { getHeapStatistics } from 'node:v8';
import type { Message } from '@palimpsest/core';
import type { Conversation } from './conversation.ts';
import { type FoundLive, findLive } from './find-live.ts';
import type { LiveLimits } from './keep-options.ts';
import { measureEvidence, measureMessage } from './measure-memory.ts';
import { newOpenNames, type OpenNames } from './open-names.ts';
import { newPrefixIndex } from './prefix-index.ts';
import type { Owner, Reading } from './reading.ts';

/** The conversations at hand. */
export interface LiveConversations {
  /** The one that has most of these messages: of the same group, else of the same tenant. */
  find(reading: Reading<unknown>): FoundLive | undefined;
  /** From now on it is known by these messages, and the last to be evicted. */
  claim(conversation: Conversation, reading: Reading<unknown>): Conversation;
  /** Its view was made, and what that read counts from now on. */
  weigh(conversation: Conversation): void;
  forget(conversation: Conversation): void;
  /** It has this id from now on, unless another one has. */
  rename(conversation: Conversation, id: string): void;
  /** Whether these messages are all that its newest request told. */
  isNewest(conversation: Conversation, reading: Reading<unknown>): boolean;
  /** Of a group, the newest first. */
  listGroup(owner: Owner): readonly Conversation[];
  findById(id: string): Conversation | undefined;
  readonly names: OpenNames;
  all(): readonly Conversation[];
  /** About what all of them take in memory. */
  readonly memory: number;
}

const MOST_CONVERSATIONS = 1_000;
/** Of the heap: as much again is garbage before it is collected, and the requests under way want the rest. */
const HEAP_SHARE = 1 / 4;

const scopeOf = ({ tenant, id }: Owner): string => JSON.stringify(id === undefined ? [tenant] : [tenant, id]);

/** Where a conversation is found: in its group, and by everybody of its tenant. */
const scopesOf = (owner: Owner): readonly string[] => [
  ...new Set([scopeOf(owner), scopeOf({ tenant: owner.tenant, id: undefined })]),
];

export function newLiveConversations({
  conversations: most = MOST_CONVERSATIONS,
  bytes: mostBytes = getHeapStatistics().heap_size_limit * HEAP_SHARE,
}: LiveLimits = {}): LiveConversations {
  /** Those that were used last stand last. */
  const live = new Map<string, Conversation>();
  const groups = new Map<string, Set<Conversation>>();
  const index = newPrefixIndex<Conversation>();
  const names = newOpenNames();
  let memory = 0;

  function forget(conversation: Conversation): void {
    const { id, owner, trace } = conversation;
    if (!live.delete(id)) return;
    memory -= conversation.memory;
    for (const scope of scopesOf(owner)) index.remove(scope, trace, conversation);
    const group = groups.get(scopeOf(owner));
    group?.delete(conversation);
    if (group?.size === 0) groups.delete(scopeOf(owner));
    names.close(conversation);
  }

  function evict(): void {
    for (const [, oldest] of live) {
      if (live.size <= 1 || (live.size <= most && memory <= mostBytes)) return;
      forget(oldest);
    }
  }

  return {
    find(reading) {
      const [own = '', tenants] = scopesOf(reading.owner);
      const found = findLive(index, own, reading);
      if (tenants === undefined || isAtHome(found, reading)) return found;
      const other = findLive(index, tenants, reading);
      // What another group said is gone on from only where that saves something: a resumed conversation under a new id.
      const isWorthIt = other !== undefined && other.depth > (found?.depth ?? 0) && isCompacted(other.conversation);
      return isWorthIt ? other : found;
    },
    claim(conversation, { owner, messages, trace, turn, besides }) {
      const known = conversation.trace.length;
      if (live.delete(conversation.id)) memory -= conversation.memory;
      live.set(conversation.id, conversation);
      conversation.told = shareTexts(conversation.told, listIds(messages));
      conversation.trace = shareTexts(conversation.trace, trace);
      addMessages(conversation, messages.slice(known));
      conversation.model = turn.model;
      conversation.besides = besides;
      memory += conversation.memory;
      for (const scope of scopesOf(owner)) index.add(scope, trace, conversation, known);
      const group = groups.get(scopeOf(owner)) ?? new Set();
      group.delete(conversation);
      groups.set(scopeOf(owner), group.add(conversation));
      evict();
      return conversation;
    },
    weigh(conversation) {
      if (live.get(conversation.id) !== conversation) return;
      memory += weighEvidence(conversation);
      evict();
    },
    forget,
    rename(conversation, id) {
      if (live.has(id) || !live.delete(conversation.id)) return;
      conversation.id = id;
      live.set(id, conversation);
    },
    isNewest: ({ id, told }, { messages }) =>
      live.has(id) && told.length === messages.length && told.at(-1) === messages.at(-1)?.id,
    listGroup: (owner) => (owner.id === undefined ? [] : [...(groups.get(scopeOf(owner)) ?? [])].reverse()),
    findById: (id) => live.get(id),
    names,
    all: () => [...live.values()],
    get memory() {
      return memory;
    },
  };
}

const listIds = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);

/** The same texts, those that are known already as they are known: every request brings its own, and one of each is enough. */
const shareTexts = (known: readonly string[], told: readonly string[]): readonly string[] =>
  told.map((text, i) => {
    const before = known[i];
    return before === text ? before : text;
  });

function addMessages(conversation: Conversation, added: readonly Message[]): void {
  for (const message of added) conversation.memory += measureMessage(message);
}

/** By how much more, or less, its digests have read since it was last weighed. */
function weighEvidence(conversation: Conversation): number {
  const more = measureEvidence(conversation.session) - conversation.evidence;
  conversation.evidence += more;
  conversation.memory += more;
  return more;
}

/** A request that goes on where its own group is goes on there, whatever a twin of it said in another. */
const isAtHome = (found: FoundLive | undefined, { messages }: Reading<unknown>): boolean =>
  found !== undefined &&
  (found.depth === messages.length ||
    (found.depth === found.conversation.told.length && isCompacted(found.conversation)));

const isCompacted = ({ session }: Conversation): boolean =>
  session?.ledger().entries.some(({ type }) => type === 'edits') === true;
