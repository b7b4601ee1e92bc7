import type { Edit } from '../../ledger/edit.ts';
import { userTextRoom } from '../../size/budget.ts';
import { type Layer, type Look, nothing } from '../../view/look.ts';
import { type Attempt, newAttempt, type Shares } from './attempt.ts';
import { keepLastThing } from './last-resort.ts';
import {
  digestSummary,
  findHead,
  findRequest,
  type Hidden,
  type HiddenAs,
  hideToText,
  type RankedUnit,
  rankUnits,
} from './ranked-units.ts';
import { measureRoom, type Room } from './room.ts';

/** A kept message may take this share of the room once hiding rounds alone does not make it fit: users' text, pins. */
const TEXT_SHARE = 1 / 8;
/** A summary tells of everything it stands for, so it may have more. */
const SUMMARY_SHARE = 1 / 3;
/** What the newest round keeps of the room while older text is still there; what the newest request keeps if it must be cut. */
const NEWEST_SHARE = 0.4;
/** What is left of the newest round where text needs all the rest. */
const LEAST_SHARE = 0.1;

/**
 * The floor: needs nothing, cannot fail. Pictures beyond a limit give way; rounds go oldest first, down to the target; then
 * the newest round is cut to head and tail. From here on only what the trigger needs goes, since what is left is text of users
 * and clients: long ones are cut, then old ones, pins and summaries go; at the very last one message is left, which points at all.
 */
export function dropOldestRounds(): Layer {
  return {
    name: 'drop-oldest-rounds',
    decide(look) {
      if (!look.pressed || look.slots.length === 0) return nothing;
      if (!isLimited(look) && (isForMoney(look) || look.tokens < floorFrom(look))) return nothing;
      const units = rankUnits(look);
      const attempt = newAttempt(look, units);
      const goal = measureRoom(look, isForMoney(look) ? { ...look.over, tokens: 0 } : look.over);
      const need = measureRoom(look, look.needed);
      const edits =
        hideRounds(units, goal, attempt) ??
        keepAllText(look, units, goal, need, attempt) ??
        cutText(look, units, need, attempt) ??
        keepLastThing(look, units, need, attempt.shrink);
      return { edits };
    },
  };
}

const isLimited = ({ over }: Look): boolean => over.bytes > 0 || over.images > 0 || over.messages > 0;

/** A limit besides tokens may press at the same time; then tokens are no matter of its. */
const isForMoney = ({ cause }: Look): boolean => cause === 'cold' || cause === 'price';

/**
 * To hide without a word of what is hidden is for need only. Half of the way from target to trigger is room enough for
 * the turns to come; more than that would be no compaction.
 */
const floorFrom = ({ given }: Look): number =>
  given.budget.floorFrom ?? (given.budget.target + (given.budget.ceiling ?? given.budget.trigger)) / 2;

const WHOLE: Shares = { newest: Infinity, request: Infinity, head: Infinity, text: Infinity };

/** The fewest of the oldest rounds whose going is enough. */
function hideRounds(units: readonly RankedUnit[], goal: Room, attempt: Attempt): readonly Edit[] | undefined {
  const rounds = units.filter((unit) => unit.rank === 'round');
  const enough = findFewest(rounds, (some) => attempt.fits(hideToText(some), WHOLE, goal));
  return enough === undefined ? undefined : attempt.write(hideToText(enough), WHOLE, goal);
}

/** The shortest run from the start of the list that is enough, try by try. Hiding more never makes a view larger. */
function findFewest<One>(all: readonly One[], isEnough: (some: readonly One[]) => boolean): readonly One[] | undefined {
  if (!isEnough(all)) return undefined;
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isEnough(all.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return all.slice(0, high);
}

/**
 * All rounds but the newest are gone: that one is cut. While text, pins and summaries fit below the trigger beside what is
 * left of it, they stay as they are, whether the target is reached or not.
 */
function keepAllText(
  look: Look,
  units: readonly RankedUnit[],
  goal: Room,
  need: Room,
  attempt: Attempt,
): readonly Edit[] | undefined {
  const hidden = hideToText(units.filter((unit) => unit.rank === 'round'));
  const beside = (room: Room, least: number): Shares => {
    const newest = Math.max(shareLeft(look, units, hidden, room), least) * room.tokens;
    // What is larger than all the room there is cannot stay whole.
    return { newest, request: need.tokens, head: need.tokens, text: need.tokens, keepsText: true };
  };
  const shares = beside(goal, NEWEST_SHARE);
  for (const room of [goal, need]) {
    if (attempt.fits(hidden, shares, room)) return attempt.write(hidden, shares, room);
  }
  const least = beside(need, LEAST_SHARE);
  const worthIt = findRequest(units) !== undefined && attempt.fits(hidden, least, need);
  return worthIt ? attempt.write(hidden, least, need) : undefined;
}

const NOTICE_TOKENS = 24;
/** Where text has to go, what is left takes this part of the room. */
const SLACK = 0.9;
/** A unit that goes, and what still shows of it. */
type Step = readonly [unit: RankedUnit, as: HiddenAs];

/**
 * The text does not fit as it is: long ones are cut, then they go, in the order of what matters least. Only where that is not
 * enough the head and the newest request are cut as well.
 */
function cutText(look: Look, units: readonly RankedUnit[], need: Room, attempt: Attempt): readonly Edit[] | undefined {
  const base = hideToText(units.filter((unit) => unit.rank === 'round'));
  const summaries = units.filter((unit) => unit.rank === 'summary');
  const small = Math.floor(need.tokens * SUMMARY_SHARE);
  const large = summaries.filter((unit) => unit.tokens > small);
  const brief: Hidden = new Map([
    ...base,
    ...large.map((unit) => [unit, { shown: digestSummary(look, unit, small) }] as const),
  ]);
  const request = findRequest(units);
  const text = need.tokens * TEXT_SHARE;
  const newest = need.tokens * NEWEST_SHARE;
  // Text that takes no more than it may outlives what was made of the work.
  const isWithin = request !== undefined && isWithinShare(look, units, need);
  for (const hidden of isWithin ? [brief, new Map([...base, ...hideWhole(summaries)])] : []) {
    const left = shareLeft(look, units, hidden, need);
    for (const least of [NEWEST_SHARE, LEAST_SHARE]) {
      const shares = { ...WHOLE, newest: need.tokens * Math.max(left, least), pin: text, keepsText: true } as const;
      if (attempt.fits(hidden, shares, need)) return attempt.write(hidden, shares, need);
    }
  }
  for (const newestShare of request === undefined ? [] : [NEWEST_SHARE, LEAST_SHARE]) {
    const shares = { newest: need.tokens * newestShare, request: Infinity, head: Infinity, text };
    for (const hidden of [base, brief])
      if (attempt.fits(hidden, shares, need)) return attempt.write(hidden, shares, need);
  }
  const steps = listSteps(look, units);
  const head = findHead(look, units);
  const whole: Shares = { newest, request: Infinity, head: Infinity, text };
  const cut: Shares = { newest, request: request?.rank === 'newest' ? newest : text, head: text, text };
  const without = (some: readonly Step[]): Hidden => new Map([...brief, ...some]);
  const tries = [
    { shares: whole, some: steps.filter(([unit]) => unit !== head) },
    { shares: cut, some: steps },
  ];
  for (const { shares, some } of tries) {
    // A little more goes than must, or the next message would cost as much again.
    for (const room of [{ ...need, tokens: need.tokens * SLACK }, need]) {
      const enough = findFewest(some, (first) => attempt.fits(without(first), shares, room));
      if (enough !== undefined) return attempt.write(without(enough), shares, room);
    }
  }
  return undefined;
}

const hideWhole = (units: readonly RankedUnit[]): Hidden =>
  new Map(units.map((unit) => [unit, { shown: [], isWhole: true }]));

/** Whether what users and clients wrote takes no more than it may: of a view that is forced down, half. */
function isWithinShare(look: Look, units: readonly RankedUnit[], need: Room): boolean {
  const texts = units.flatMap(({ rank, hiding }) => (rank === 'newest' || rank === 'pin' ? [] : hiding.stay));
  const tokens = texts.reduce((sum, slot) => sum + slot.tokens, 0);
  return tokens <= Math.min(userTextRoom(look.given.budget), need.tokens / 2);
}

/** What goes where text is cut and still too much, in this order: old text, pins, summaries, the head. */
function listSteps(look: Look, units: readonly RankedUnit[]): readonly Step[] {
  const request = findRequest(units);
  const head = findHead(look, units);
  const isOldText = (unit: RankedUnit): boolean =>
    unit !== head && (unit.rank === 'text' || (unit.rank === 'round' && unit.hiding.stay.length > 0));
  const hide = (is: (unit: RankedUnit) => boolean, as: HiddenAs = { shown: [], isWhole: true }): readonly Step[] =>
    units.filter((unit) => unit !== request && is(unit)).map((unit) => [unit, as]);
  // What was put behind a round cannot be cut: with it the newest round goes too, but for its text.
  const isLaden = ({ rank, slots }: RankedUnit): boolean =>
    rank === 'newest' && !look.hasOpenCalls && slots.some((slot) => slot.inserted === true);
  return [
    ...hide(isOldText),
    ...hide((unit) => unit !== head && unit.rank === 'pin'),
    ...hide(isLaden, { shown: [] }),
    ...hide(({ rank }) => rank === 'summary'),
    // Pinned or not.
    ...hide((unit) => unit === head && unit.rank !== 'newest'),
  ];
}

/** The share of the room that all others leave to the newest unit. */
function shareLeft(look: Look, units: readonly RankedUnit[], hidden: Hidden, room: Room): number {
  const others = units.slice(0, -1).reduce((sum, unit) => sum + shownTokens(look, hidden, unit), 0);
  return Math.max(0, 1 - (others + NOTICE_TOKENS) / Math.max(1, room.tokens));
}

function shownTokens(look: Look, hidden: Hidden, unit: RankedUnit): number {
  const as = hidden.get(unit);
  if (as === undefined) return unit.tokens;
  const stay = as.isWhole === true ? [] : unit.hiding.stay;
  return [...stay.map(({ tokens }) => tokens), ...as.shown.map((message) => look.count(message))].reduce(
    (sum, tokens) => sum + tokens,
    0,
  );
}
