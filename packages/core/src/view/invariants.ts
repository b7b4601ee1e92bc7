import { InvariantError } from '../errors.ts';
import type { Edit } from '../ledger/edit.ts';
import type { Message } from '../message/message.ts';
import type { SlotList } from './slot-list.ts';

/** Which rule a list of messages breaks, and where, in words. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** The rules every view keeps, whatever the provider. Undefined means that all hold. */
export function violationOf(messages: Iterable<Message>): Violation | undefined {
  let open = new Set<string>();
  let answered = new Set<string>();
  let opener = '';
  const ids = new Set<string>();
  for (const message of messages) {
    if (ids.has(message.id)) return { rule: 'ids are unique', detail: `"${message.id}" stands twice` };
    ids.add(message.id);
    if (message.parts.length === 0) return { rule: 'no message is empty', detail: `"${message.id}" has no parts` };
    if (message.role === 'assistant') {
      if (open.size > 0)
        return { rule: 'every call is answered', detail: `call "${[...open][0]}" of "${opener}" has no result` };
      open = new Set();
      answered = new Set();
      opener = message.id;
    }
    for (const part of message.parts) {
      if (part.type === 'call') open.add(part.callId);
      if (part.type !== 'result') continue;
      if (answered.has(part.callId))
        return { rule: 'a call is answered once', detail: `"${part.callId}" again in "${message.id}"` };
      if (!open.delete(part.callId))
        return { rule: 'no result without its call', detail: `"${part.callId}" in "${message.id}"` };
      answered.add(part.callId);
    }
  }
  return undefined;
}

function* messagesIn(list: SlotList): Iterable<Message> {
  for (const slot of list.slots) yield slot.message;
}

/**
 * The check after every layer that edited, in production. Edits that stay inside a part cannot break pairing, so their
 * check costs what they touched; only what removes messages or parts pays for the whole view.
 */
export function checkView(layer: string, before: SlotList, after: SlotList, edits: readonly Edit[], brings = 0): void {
  // Attachments come with a fold in the same decision; together they must still be smaller. What is brought back says how much it is.
  if (after.sizes.tokens > before.sizes.tokens + brings)
    throw new InvariantError(layer, 'tokens never grow', `${before.sizes.tokens} became ${after.sizes.tokens}`);
  if (after.slots.length === 0 && before.slots.length > 0)
    throw new InvariantError(layer, 'a view is never empty', `${before.slots.length} messages became none`);
  if (edits.every((edit) => edit.type === 'replace' || edit.type === 'shorten')) return;
  const violation = violationOf(messagesIn(after));
  if (violation !== undefined) throw new InvariantError(layer, violation.rule, violation.detail);
  const [first] = after.slots;
  if (first?.message.role === 'assistant' && first.message !== before.slots[0]?.message && first.first !== 0)
    throw new InvariantError(layer, 'a cut view starts with the user', `it starts with "${first.message.id}"`);
  if (after.slots.at(-1)?.message.role === 'assistant' && before.slots.at(-1)?.message.role === 'user')
    throw new InvariantError(
      layer,
      "a view does not end with the model's words where it ended with the user's",
      `it ends with "${after.slots.at(-1)?.message.id}"`,
    );
}
