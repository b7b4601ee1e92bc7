import type { Message } from '../../message/message.ts';
import type { Look, Over } from '../../view/look.ts';
import type { Sizes } from '../../view/slot.ts';
import { weighMessage } from '../../view/slot.ts';
import { changeSizes, noSizes } from '../../view/slot-list.ts';

/** What the messages of a view may take, or take, by measure. */
export type Room = Over;

/** The room is what the whole view takes now, less what must go; a measure without pressure has no limit. */
export function measureRoom({ slots, over }: Look, excess: Over): Room {
  const now = changeSizes(noSizes, [], slots);
  const limit = (value: number, pressed: number, gone: number): number => (pressed > 0 ? value - gone : Infinity);
  return {
    tokens: Math.max(0, now.tokens - excess.tokens),
    bytes: limit(now.bytes, over.bytes, excess.bytes),
    images: limit(now.images, over.images, excess.images),
    messages: limit(slots.length, over.messages, excess.messages),
  };
}

/** What the slots that stay and the messages that are made take together. */
export const takeTogether = (look: Look, stay: readonly Sizes[], made: readonly Message[]): Sizes =>
  changeSizes(noSizes, [], [...stay, ...made.map((message) => weighMessage(message, look.count))]);

/** Whether so many messages of these sizes are within the room. */
export const fitsRoom = ({ tokens, bytes, images }: Sizes, messages: number, room: Room): boolean =>
  tokens <= room.tokens && bytes <= room.bytes && images <= room.images && messages <= room.messages;
