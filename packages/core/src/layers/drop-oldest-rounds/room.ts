import type { Message } from '../../message/message.ts';
import type { Look, Over } from '../../view/look.ts';
import type { Sizes } from '../../view/slot.ts';
import { weighMessage } from '../../view/slot.ts';
import { changeSizes, noSizes } from '../../view/slot-list.ts';

/** What the messages of a view may take, or take, by measure. */
export type Room = Over;

/** The room is what the whole view takes now, less what must go; a measure without pressure has no limit. */
export function measureRoom({ slots, over }: Look): Room {
  const now = changeSizes(noSizes, [], slots);
  const limit = (value: number, excess: number): number => (excess > 0 ? value - excess : Infinity);
  return {
    tokens: Math.max(0, now.tokens - over.tokens),
    bytes: limit(now.bytes, over.bytes),
    images: limit(now.images, over.images),
    messages: limit(slots.length, over.messages),
  };
}

/** Whether the slots that stay and the messages that are made, less what edits free of them, are within the room. */
export function fitsRoom(look: Look, stay: readonly Sizes[], made: readonly Message[], freed: Sizes, room: Room) {
  const come = [...stay, ...made.map((message) => weighMessage(message, look.count))];
  const { tokens, bytes, images } = changeSizes(noSizes, [freed], come);
  return tokens <= room.tokens && bytes <= room.bytes && images <= room.images && come.length <= room.messages;
}
