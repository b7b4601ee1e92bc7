import { estimateMessage } from '@palimpsest/core';
import { asFields, asString, type Fields } from '@palimpsest/core/json';
import { openaiResponses } from '@palimpsest/wire';
import type { KeepOptions } from './conversations/keep-options.ts';
import { createKeeper } from './keeper/create-keeper.ts';
import { toAgentsItem, toResponsesItem } from './openai-agents/agents-items.ts';

export type {
  ConversationStore,
  KeepOptions,
  KeptEvent,
  PassedEvent,
  PassedReason,
  SessionStart,
} from './conversations/keep-options.ts';
export { type RecallTool, recallTool } from './recall-tool.ts';

/** The Agents SDK's `Session`, as far as it is needed here; its own and yours are such. */
export interface ItemSession<Item extends object> {
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<Item[]>;
  addItems(items: Item[]): Promise<void>;
  popItem(): Promise<Item | undefined>;
  clearSession(): Promise<void>;
}

/** As for the other SDKs; `window` is enough. */
export interface SessionOptions extends Omit<KeepOptions, 'key' | 'window'> {
  /** The model's context window in tokens. */
  readonly window: number;
  /** What is sent with every request, which the session does not see: it counts. */
  readonly instructions?: string;
  /** Tool definitions: their size counts, and whether a recall is among them. */
  readonly tools?: readonly object[];
  /** Whose sessions these are, where one store serves many: nothing of one reaches another. */
  readonly tenant?: string;
}

/** What a session may have besides; handed on where it is there. */
const CAPABILITIES = [
  'applyHistoryMutations',
  'applyHistoryTransaction',
  'prepareHistoryItemForModelInput',
  'prepareHistoryItemsForPersistenceComparison',
  'preserveReasoningItemIdsForPersistence',
] as const;

/**
 * `run(agent, input, { session: palimpsestSession(new MemorySession(), { window: 400_000 }) })`: the session that you have
 * keeps every item as before; what a run is given of them fits the window. `getItems(limit)` reads the newest as they are.
 * A run asks its session once, when it begins, so room is left for one that is larger than the largest so far. Prefer
 * {@link palimpsest} of `@palimpsest/sdk/openai` as the client's `fetch`: it sees every request, whatever a run grows to.
 */
export function palimpsestSession<Item extends object>(
  inner: ItemSession<Item>,
  { instructions, tools, tenant, ...options }: SessionOptions,
): ItemSession<Item> {
  // Tools that nobody states may have a recall among them.
  const keeper = createKeeper({ ...(tools === undefined ? { canRecall: true } : {}), ...options });
  const besides = {
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools }),
  };
  return {
    ...handOn(inner),
    getSessionId: () => inner.getSessionId(),
    addItems: (items) => inner.addItems(items),
    popItem: () => inner.popItem(),
    clearSession: () => inner.clearSession(),
    async getItems(limit) {
      const items = await inner.getItems(limit);
      if (limit !== undefined || items.length === 0) return items;
      const input = items.map(toResponsesItem);
      const kept = await keeper.keep({
        wire: 'openai-responses',
        body: { model: '', ...besides, input },
        window: options.window - roomForRun(input, options.window),
        id: await inner.getSessionId(),
        ...(tenant === undefined ? {} : { tenant }),
      });
      return kept?.changed === true ? restoreItems(kept.body.input, input, items) : items;
    },
  };
}

/** The next run may be larger than the largest so far by this factor. */
const ROOM_FOR_GROWTH = 1.5;
/** Of the window, for a run: at least, and at most. */
const LEAST_ROOM = 0.25;
const MOST_ROOM = 0.65;

/** The tokens that the next run may add. A run begins with what the user says. */
function roomForRun(input: readonly Fields[], window: number): number {
  let largest = 0;
  let run = 0;
  for (const message of openaiResponses.decode({ model: '', input }).messages) {
    if (message.origin === 'human') run = 0;
    run += estimateMessage(message);
    largest = Math.max(largest, run);
  }
  return Math.floor(Math.min(window * MOST_ROOM, Math.max(window * LEAST_ROOM, largest * ROOM_FOR_GROWTH)));
}

function handOn(inner: object): object {
  const found = CAPABILITIES.flatMap((name) => {
    const method = (inner as Readonly<Record<string, unknown>>)[name];
    return typeof method === 'function' ? [[name, method.bind(inner)]] : [];
  });
  return Object.fromEntries(found);
}

/** Items that stand as they were come back as the very objects; only what was written or changed is made anew. */
function restoreItems<Item extends object>(
  shown: readonly Fields[],
  input: readonly Fields[],
  items: readonly Item[],
): Item[] {
  const known = new Map<string, Item[]>();
  const names = new Map<string, string>();
  for (const [at, item] of items.entries()) {
    const text = JSON.stringify(input[at]);
    known.set(text, [...(known.get(text) ?? []), item]);
    const { callId, name } = asFields(item);
    if (name !== undefined) names.set(asString(callId) ?? '', asString(name) ?? '');
  }
  const nameOf = (callId: string): string => names.get(callId) ?? 'tool';
  return shown.map((item) => {
    const same = known.get(JSON.stringify(item));
    const original = same !== undefined && same.length > 1 ? same.shift() : same?.[0];
    return original ?? (toAgentsItem(item, nameOf) as Item);
  });
}
