import type { MessageId } from '../message/message.ts';
import type { Layer, Look } from '../view/look.ts';
import { type Unit, unitsOf } from '../view/units.ts';
import { snipUnits } from './snip-middle.ts';

/** What is to go, by its ends; without them the middle, as `snipMiddle` has it. */
export interface SnipRequest {
  /** The first message that goes, by its id. */
  readonly from?: MessageId;
  /** The last message that goes. */
  readonly to?: MessageId;
  /** How many of the first messages stay, where `from` says nothing; 3 by default. */
  readonly keepFirst?: number;
  /** How many of the last messages stay, where `to` says nothing; 47 by default. */
  readonly keepLast?: number;
}

/** What of a view a request is about. */
export type SnipLook = Pick<Look, 'slots' | 'hasOpenCalls' | 'placeOf'>;

/** The middle that somebody asked to hide, pins and users' text aside. Calls go with their results or not at all. */
export const snipAsked = (request: SnipRequest): Layer => ({
  name: 'snip-asked',
  decide: (look) => ({ edits: snipUnits(look, namedUnits(look, request)) }),
});

/** The units that lie between the ends as a whole. A round whose results are still to come is never among them. */
function namedUnits(look: SnipLook, { from, to, keepFirst = 3, keepLast = 47 }: SnipRequest): readonly Unit[] {
  const { slots } = look;
  const units = unitsOf(slots);
  const settled = look.hasOpenCalls ? units.slice(0, -1) : units;
  const [start, end] = [placeOf(look, from) ?? 0, placeOf(look, to) ?? Infinity];
  return settled.filter(
    (unit) =>
      unit.first.first >= start &&
      unit.last.last <= end &&
      (from !== undefined || unit.start >= keepFirst) &&
      (to !== undefined || unit.end <= slots.length - keepLast),
  );
}

const placeOf = (look: SnipLook, id: MessageId | undefined): number | undefined =>
  id === undefined ? undefined : look.placeOf(id);

/** Why nothing goes by a request, in words for whoever made it. */
export function explainNothing(look: SnipLook, request: SnipRequest): string {
  const units = namedUnits(look, request);
  if (units.length === 0) {
    const { from, to, keepFirst = 3, keepLast = 47 } = request;
    const ends = [from === undefined ? `the first ${keepFirst}` : '', to === undefined ? `the last ${keepLast}` : ''];
    const stays = ends.filter((end) => end !== '').join(' and ');
    return `the view has ${look.slots.length} messages${stays === '' ? '' : `, of which ${stays} stay`}: no message or whole round of calls and results lies between the ends`;
  }
  return 'all that lies between the ends is pinned, was written by a user or a client, or is no larger than the notice that would stand there';
}
