import type { Edit } from '../../ledger/edit.ts';
import type { Message } from '../../message/message.ts';
import type { Steps } from '../../steps.ts';
import { decideInSteps } from '../../view/decide-in-steps.ts';
import { type Layer, type Look, nothing } from '../../view/look.ts';
import { type Attempt, newAttempt, type Shares } from './attempt.ts';
import { keepLastThing } from './last-resort.ts';
import {
  digestSummary,
  findRequest,
  type Hidden,
  hideToWords,
  holdsRule,
  type RankedUnit,
  rankUnits,
  SCRAPS_TOKENS,
} from './ranked-units.ts';
import { measureRoom, type Room } from './room.ts';

/** A kept message may take this share of the room once hiding rounds alone does not make it fit: words, pins. */
const WORDS_SHARE = 1 / 8;
/** A summary holds the rules and the words of everything it stands for, so it may have more. */
const SUMMARY_SHARE = 1 / 3;
/** What the newest round keeps of the room while older words are still there; what the newest request keeps if it must be cut. */
const NEWEST_SHARE = 0.4;
/** What is left of the newest round where words need all the rest. */
const LEAST_SHARE = 0.1;

/**
 * The floor: needs nothing, cannot fail. Pictures beyond a limit give way; rounds go oldest first, down to the target; then
 * the newest round is cut to head and tail. From here on only what the trigger needs goes, since what is left is words:
 * long ones are cut, then summaries, old words and pins go; at the very last one message is left, which points at all.
 */
export function dropOldestRounds(): Layer {
  return {
    name: 'drop-oldest-rounds',
    holdsWords: true,
    decide: decideInSteps(function* (look) {
      if (!look.pressed || look.slots.length === 0) return nothing;
      if (!isLimited(look) && (isForMoney(look) || look.tokens < floorFrom(look))) return nothing;
      const units = rankUnits(look);
      yield;
      const attempt = newAttempt(look, units);
      const goal = measureRoom(look, isForMoney(look) ? { ...look.over, tokens: 0 } : look.over);
      const need = measureRoom(look, look.needed);
      const edits =
        (yield* hideRounds(units, goal, attempt)) ??
        (yield* keepAllWords(look, units, goal, need, attempt)) ??
        (yield* cutWords(look, units, need, attempt)) ??
        keepLastThing(look, units, need, attempt.shrink);
      return { edits };
    }),
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

const WHOLE: Shares = { newest: Infinity, request: Infinity, words: Infinity };

/** The fewest of the oldest rounds whose going is enough. */
function* hideRounds(units: readonly RankedUnit[], goal: Room, attempt: Attempt): Steps<readonly Edit[] | undefined> {
  const rounds = units.filter((unit) => unit.rank === 'round');
  const enough = yield* findFewest(rounds, (some) => attempt.fits(hideToWords(some), WHOLE, goal));
  return enough === undefined ? undefined : attempt.write(hideToWords(enough), WHOLE, goal);
}

/** The shortest run from the start of the list that is enough, try by try. Hiding more never makes a view larger. */
function* findFewest<One>(
  all: readonly One[],
  isEnough: (some: readonly One[]) => boolean,
): Steps<readonly One[] | undefined> {
  if (!isEnough(all)) return undefined;
  let low = 0;
  let high = all.length;
  while (low < high) {
    yield;
    const middle = (low + high) >>> 1;
    if (isEnough(all.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return all.slice(0, high);
}

/**
 * All rounds but the newest are gone: that one is cut. While words, pins and summaries fit below the trigger beside what is
 * left of it, they stay as they are, whether the target is reached or not.
 */
function* keepAllWords(
  look: Look,
  units: readonly RankedUnit[],
  goal: Room,
  need: Room,
  attempt: Attempt,
): Steps<readonly Edit[] | undefined> {
  const hidden = hideToWords(units.filter((unit) => unit.rank === 'round'));
  const beside = (room: Room, least: number): Shares => {
    const newest = Math.max(shareLeft(look, units, hidden, room), least) * room.tokens;
    // What is larger than all the room there is cannot stay whole.
    return { newest, request: need.tokens, words: need.tokens };
  };
  const shares = beside(goal, NEWEST_SHARE);
  for (const room of [goal, need]) {
    if (attempt.fits(hidden, shares, room)) return attempt.write(hidden, shares, room);
    yield;
  }
  const least = beside(need, LEAST_SHARE);
  const worthIt = findRequest(units) !== undefined && attempt.fits(hidden, least, need);
  return worthIt ? attempt.write(hidden, least, need) : undefined;
}

const NOTICE_TOKENS = 24;
/** A unit that goes, and what still shows of it. */
type Step = readonly [unit: RankedUnit, shown: readonly Message[]];

/**
 * The words do not fit as they are: long ones are cut, the newest request last; then they go, in the order of what matters
 * least.
 */
function* cutWords(
  look: Look,
  units: readonly RankedUnit[],
  need: Room,
  attempt: Attempt,
): Steps<readonly Edit[] | undefined> {
  const base = hideToWords(units.filter((unit) => unit.rank === 'round'));
  const summaries = units.filter((unit) => unit.rank === 'summary');
  const small = Math.floor(need.tokens * SUMMARY_SHARE);
  const large = summaries.filter((unit) => unit.tokens > small);
  const shorten = (upTo: number): Hidden =>
    new Map([...base, ...large.map((unit) => [unit, digestSummary(look, unit, small, upTo)] as const)]);
  const brief = shorten(small);
  const request = findRequest(units);
  const words = need.tokens * WORDS_SHARE;
  const newest = need.tokens * NEWEST_SHARE;
  for (const newestShare of request === undefined ? [] : [NEWEST_SHARE, LEAST_SHARE]) {
    const shares = { newest: need.tokens * newestShare, request: Infinity, words };
    const left = Math.floor(roomBeside(look, units, base, shares, need) / Math.max(1, summaries.length));
    for (const hidden of left > small ? [base, shorten(left), brief] : [base, brief])
      if (attempt.fits(hidden, shares, need)) return attempt.write(hidden, shares, need);
    yield;
  }
  const cut: Shares = { newest, request: request?.rank === 'newest' ? newest : words, words };
  const steps = listSteps(look, units, base, small);
  const without = (some: readonly Step[]): Hidden => new Map([...brief, ...some]);
  const enough = yield* findFewest(steps, (some) => attempt.fits(without(some), cut, need));
  return enough === undefined ? undefined : attempt.write(without(enough), cut, need);
}

/**
 * What goes where words are cut and still too much, in this order: old words; of summaries all but the user's words; pins; of
 * those words all but the newest request and rules; words and pins that hold rules; summaries.
 */
function listSteps(look: Look, units: readonly RankedUnit[], base: Hidden, small: number): readonly Step[] {
  const request = findRequest(units);
  const newestWords = units.findLast((unit) => unit.isWords || (base.get(unit)?.length ?? 0) > 0);
  const hide = (rank: string): readonly Step[] =>
    units
      .filter((unit) => unit !== request && unit !== newestWords && rankIn(unit, base) === rank)
      .map((unit) => [unit, []]);
  const tell = (upTo: number): readonly Step[] =>
    units
      .filter((unit) => unit.rank === 'summary')
      .map((unit) => [unit, digestSummary(look, unit, 0, Math.min(small, unit.tokens, upTo))]);
  const [words, pins] = [[...hide('words-of-rounds'), ...hide('words')], hide('pin')];
  const ruled = new Set([...words, ...pins.filter(([unit]) => unit.isWords)].filter(([unit]) => holdsRule(look, unit)));
  const plain = (steps: readonly Step[]): readonly Step[] => steps.filter((step) => !ruled.has(step));
  // What was put behind a round cannot be cut: with it the newest round goes too, as the last of the pins.
  const laden = units.filter((unit) => unit.rank === 'newest' && unit.slots.some((slot) => slot.inserted === true));
  const freed = look.hasOpenCalls ? [] : laden.map((unit): Step => [unit, unit.words]);
  return [
    ...plain(words),
    ...tell(small),
    ...plain(pins),
    ...freed,
    ...tell(SCRAPS_TOKENS),
    ...ruled,
    ...hide('summary'),
  ];
}

/** What all units but summaries leave of the room, each within its share. */
function roomBeside(look: Look, units: readonly RankedUnit[], hidden: Hidden, shares: Shares, room: Room): number {
  const request = findRequest(units);
  const shareOf = (unit: RankedUnit): number =>
    unit === request ? shares.request : unit.rank === 'newest' ? shares.newest : shares.words;
  const others = units.filter((unit) => unit.rank !== 'summary');
  const taken = others.map((unit) => shownTokens(look, hidden, unit) ?? Math.min(unit.tokens, shareOf(unit)));
  return room.tokens - NOTICE_TOKENS - taken.reduce((sum, tokens) => sum + tokens, 0);
}

/** The share of the room that all others leave to the newest unit. */
function shareLeft(look: Look, units: readonly RankedUnit[], hidden: Hidden, room: Room): number {
  const others = units.slice(0, -1).reduce((sum, unit) => sum + (shownTokens(look, hidden, unit) ?? unit.tokens), 0);
  return Math.max(0, 1 - (others + NOTICE_TOKENS) / Math.max(1, room.tokens));
}

const shownTokens = (look: Look, hidden: Hidden, unit: RankedUnit): number | undefined =>
  hidden.get(unit)?.reduce((sum, message) => sum + look.count(message), 0);

const rankIn = (unit: RankedUnit, hidden: Hidden): string =>
  (hidden.get(unit)?.length ?? 0) > 0 ? 'words-of-rounds' : unit.rank;
