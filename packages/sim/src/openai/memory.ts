import { asString, type Fields } from '@palimpsest/core/json';
import { typeOf } from './items.ts';

/** What the Responses API keeps between requests. */
export interface ResponsesMemory {
  hasResponse(responseId: string): boolean;
  /** The items in front of this request's own: what `previous_response_id` stands for. */
  findHeld(body: Fields): readonly Fields[];
  findItem(id: string): Fields | undefined;
  /** References replaced by what they point to. */
  resolve(items: readonly Fields[]): readonly Fields[];
  /** The reasoning that an item was written behind. */
  findReasoning(itemId: string): string | undefined;
  /** Learns which items belong together. */
  notice(items: readonly Fields[]): void;
  store(responseId: string, items: readonly Fields[]): void;
}

export function createMemory(): ResponsesMemory {
  const responses = new Map<string, readonly Fields[]>();
  const items = new Map<string, Fields>();
  const reasons = new Map<string, string>();
  return {
    hasResponse: (id) => responses.has(id),
    findHeld: ({ previous_response_id: id }) => (typeof id === 'string' ? (responses.get(id) ?? []) : []),
    findItem: (id) => items.get(id),
    resolve: (list) =>
      list.map((item) => (typeOf(item) === 'item_reference' ? (items.get(String(item.id)) ?? item) : item)),
    findReasoning: (id) => reasons.get(id),
    notice(list) {
      for (const [i, item] of list.entries()) {
        const before = list[i - 1];
        const id = asString(item.id);
        const reason = before !== undefined && typeOf(before) === 'reasoning' ? asString(before.id) : undefined;
        if (id !== undefined && reason !== undefined) reasons.set(id, reason);
      }
    },
    store(responseId, list) {
      responses.set(responseId, list);
      for (const item of list) if (typeof item.id === 'string') items.set(item.id, item);
    },
  };
}
