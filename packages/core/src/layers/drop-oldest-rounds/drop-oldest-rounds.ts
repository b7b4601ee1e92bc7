import { type EditBatch, newEditBatch } from '../../edits/edit-batch.ts';
import { newShrink, type ShrinkMessage } from '../../edits/shrink-message.ts';
import type { Edit } from '../../ledger/edit.ts';
import { type Layer, type Look, nothing } from '../../view/look.ts';
import { fitsHidden, hideUnits } from './hide-units.ts';
import { keepLastThing } from './last-resort.ts';
import { digestSummary, type Hidden, type RankedUnit, rankUnits } from './ranked-units.ts';
import { measureRoom, type Room } from './room.ts';

/** A kept message may take this share of the room once hiding rounds alone does not make it fit: words, pins. */
const WORDS_SHARE = 1 / 8;
/** A summary holds the rules and the words of everything it stands for, so it may have more. */
const SUMMARY_SHARE = 1 / 3;
/** What the newest round keeps of the room while older words are still there. */
const NEWEST_SHARE = 0.4;

/**
 * The floor: needs nothing, cannot fail. Rounds go oldest first; then the newest round is cut to head and tail, then long
 * words and pins are; then summaries, old words and pins go; at the very last one message is left, which points at all.
 */
export function dropOldestRounds(): Layer {
  return {
    name: 'drop-oldest-rounds',
    decide(look) {
      const { over } = look;
      const limited = over.bytes > 0 || over.images > 0 || over.messages > 0;
      if (!look.pressed || look.slots.length === 0) return nothing;
      if (!limited && look.tokens < floorFrom(look)) return nothing;
      const room = measureRoom(look);
      const units = rankUnits(look);
      const rounds = units.filter((unit) => unit.rank === 'round');
      const whole = newEditBatch(look);
      const enough = findFewest(rounds, (some) => fitsHidden(look, units, hideToWords(some), whole, room));
      if (enough !== undefined) return { edits: hideUnits(look, units, hideToWords(enough), whole) };
      const shrink = newShrink(look);
      return { edits: shrinkAndHide(look, units, rounds, room, shrink) ?? keepLastThing(look, units, room, shrink) };
    },
  };
}

/**
 * To hide without a word of what is hidden is for need only. Half of the way from target to trigger is room enough for
 * the turns to come; more than that would be no compaction.
 */
const floorFrom = ({ given }: Look): number =>
  given.budget.floorFrom ?? (given.budget.target + given.budget.trigger) / 2;

const hideToWords = (units: readonly RankedUnit[]): Hidden => new Map(units.map((unit) => [unit, unit.words]));

/** The shortest run from the start of the list that is enough. Hiding more never makes a view larger. */
function findFewest(
  units: readonly RankedUnit[],
  isEnough: (some: readonly RankedUnit[]) => boolean,
): readonly RankedUnit[] | undefined {
  if (!isEnough(units)) return undefined;
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isEnough(units.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return units.slice(0, high);
}

/** All rounds but the newest are gone and it does not fit yet: cut, then hide more, in the order of what matters least. */
function shrinkAndHide(
  look: Look,
  units: readonly RankedUnit[],
  rounds: readonly RankedUnit[],
  room: Room,
  shrink: ShrinkMessage,
): readonly Edit[] | undefined {
  const attempt = (hidden: Hidden, shares: Shares): readonly Edit[] | undefined => {
    const batch = newEditBatch(look);
    for (const unit of units) if (!hidden.has(unit)) shrinkUnit(batch, unit, room, shares, shrink);
    return fitsHidden(look, units, hidden, batch, room)
      ? [...batch.edits, ...hideUnits(look, units, hidden, batch)]
      : undefined;
  };
  const base = hideToWords(rounds);
  const whole = attempt(base, { newest: Math.max(shareLeft(look, units, base, room), NEWEST_SHARE), words: 1 });
  if (whole !== undefined) return whole;

  const small = Math.floor(room.tokens * SUMMARY_SHARE);
  const large = units.filter((unit) => unit.rank === 'summary' && unit.tokens > small);
  const brief: Hidden = new Map([...base, ...large.map((unit) => [unit, digestSummary(look, unit, small)] as const)]);
  const newestWords = units.findLast((unit) => unit.rank === 'words' || unit.rank === 'pin');
  const order = ORDER.flatMap((rank) => units.filter((unit) => unit !== newestWords && rankIn(unit, base) === rank));
  const without = (some: readonly RankedUnit[]): Hidden =>
    new Map([...brief, ...some.map((unit) => [unit, []] as const)]);
  const enough = findFewest(order, (some) => attempt(without(some), SMALL_SHARES) !== undefined);
  return enough === undefined ? undefined : attempt(without(enough), SMALL_SHARES);
}

/** The shares of the room that the newest unit and every other may take. */
interface Shares {
  readonly newest: number;
  readonly words: number;
}

const SMALL_SHARES: Shares = { newest: NEWEST_SHARE, words: WORDS_SHARE };
const NOTICE_TOKENS = 24;
/** What goes first once rounds are gone. */
const ORDER = ['words-of-rounds', 'words', 'summary', 'pin'] as const;

/** The share of the room that all others leave to the newest unit. */
function shareLeft(look: Look, units: readonly RankedUnit[], hidden: Hidden, room: Room): number {
  const others = units.slice(0, -1).reduce((sum, unit) => sum + (shownTokens(look, hidden, unit) ?? unit.tokens), 0);
  return Math.max(0, 1 - (others + NOTICE_TOKENS) / Math.max(1, room.tokens));
}

const shownTokens = (look: Look, hidden: Hidden, unit: RankedUnit): number | undefined =>
  hidden.get(unit)?.reduce((sum, message) => sum + look.count(message), 0);

const rankIn = (unit: RankedUnit, hidden: Hidden): string =>
  (hidden.get(unit)?.length ?? 0) > 0 ? 'words-of-rounds' : unit.rank;

/** Each message of the unit has its part of what the unit may have; small ones leave theirs to the large. */
function shrinkUnit(batch: EditBatch, unit: RankedUnit, room: Room, shares: Shares, shrink: ShrinkMessage): void {
  let left = Math.floor(room.tokens * (unit.rank === 'newest' ? shares.newest : shares.words));
  if (unit.tokens <= left) return;
  const slots = unit.slots.toSorted((a, b) => a.tokens - b.tokens);
  for (const [i, slot] of slots.entries()) {
    const each = Math.max(1, Math.floor(left / (slots.length - i)));
    if (slot.tokens > each) shrink(batch, slot, each);
    left -= Math.min(slot.tokens, each);
  }
}
