import { goneTokens, isAllKept, splitAround } from '../../edits/hide-around.ts';
import type { ItemUpdate } from '../../ledger/summary-item.ts';
import type { Message, MessageId } from '../../message/message.ts';
import { targetForMessages, windowForMessages } from '../../size/budget.ts';
import type { Look } from '../../view/look.ts';
import { listItems } from '../../view/read-summary.ts';
import type { Slot } from '../../view/slot.ts';
import { isWords } from '../../view/turns.ts';
import { joinUnits, type Span, type Unit, unitsOf } from '../../view/units.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';

/** What a summary is to stand for: always whole units. */
export interface SummarySpan extends Span {
  readonly units: readonly Unit[];
  /** The tokens of the messages in it that go: not those of users' text, which stays. */
  readonly foldedTokens: number;
  /** The transcript messages at both ends. */
  readonly from: MessageId;
  readonly to: MessageId;
  /** The live summary inside it, which is brought up to date. */
  readonly previous?: PreviousSummary;
}

/** A summary that stands in the span of the next one. */
export interface PreviousSummary {
  readonly ref: string;
  readonly narrative?: string;
  /** Its statements, also where it was not made of them. */
  readonly statements: Pick<ItemUpdate, 'items' | 'left' | 'lastItem'>;
  /** The last place of the transcript that it is about. */
  readonly reach: number;
}

/** What to summarize: as asked, up to a draft's end (`upTo`), or up to the tail that stays. Undefined: nothing. */
export function findSummarySpan(
  look: Look,
  options: SummarizeHistoryOptions,
  upTo?: MessageId,
): SummarySpan | undefined {
  const all = unitsOf(look.slots);
  const units = all.slice(...chooseUnits(look, all, options, upTo));
  const span = joinUnits(units);
  // A summary alone, with what was put behind it, says nothing new when it is summarized again.
  if (span === undefined || units.every((unit) => isOld(look, unit))) return undefined;
  const behind = look.behind(span.first, { ...span.last, last: span.reach });
  const [first, last] = [behind[0] ?? span.first.message, behind.at(-1) ?? span.last.message];
  const previous = findPrevious(span);
  const foldedTokens = goneTokens(splitAround(look, units));
  return { ...span, units, foldedTokens, from: first.id, to: last.id, ...(previous === undefined ? {} : { previous }) };
}

export const isSummary = (slot: Slot): boolean => slot.summary?.of === 'history';

const isOld = (look: Look, unit: Unit): boolean =>
  isAllKept(look, unit) || unit.slots.every((slot) => isSummary(slot) || slot.inserted === true);

function findPrevious({ slots }: Span): PreviousSummary | undefined {
  const slot = slots.find(isSummary);
  if (slot?.fold === undefined || slot.summary === undefined) return undefined;
  const { narrative, items = listItems(narrative ?? ''), left, lastItem } = slot.summary;
  const highest = Math.max(0, ...items.map(({ number }) => number));
  return {
    ref: slot.fold,
    reach: slot.reach ?? slot.last,
    ...(narrative === undefined ? {} : { narrative }),
    statements: { items, lastItem: lastItem ?? highest, ...(left === undefined ? {} : { left }) },
  };
}

/** The indexes of the first unit to summarize, and of that behind the last. */
function chooseUnits(
  look: Look,
  units: readonly Unit[],
  options: SummarizeHistoryOptions,
  upTo: MessageId | undefined,
): [start: number, end: number] {
  const { form, at } = look.given.asked;
  // Calls in flight stay, and they are in the newest unit.
  const end = look.hasOpenCalls ? units.length - 1 : units.length;
  if (form === 'all') return [0, end];
  if (form === 'from') return [countUnitsUpTo(look, units, at, 0), end];
  // The newest unit is the work in hand: it stays, unless no tail is wanted.
  const latest = options.tailTurns === 0 || options.keepNewest === false ? end : units.length - 1;
  if (upTo !== undefined) return [0, Math.min(latest, countDrafted(look, units, upTo))];
  if (form === 'up-to' && at !== undefined) return [0, Math.min(units.length - 1, countUnitsUpTo(look, units, at))];
  const tail = Math.min(latest, findTail(look, units, options));
  // Where the tail is all there is, and a summary is written whatever that is, there is no tail; but what was refused is asked again.
  const isAll = units.slice(0, tail).every((unit) => isOld(look, unit));
  return [0, options.always === true && isAll && look.given.trigger !== 'overflow' ? end : tail];
}

/** The span's messages as the view shows them; the previous summary reaches the summarizer once, as such. */
export const messagesIn = (span: SummarySpan): readonly Message[] =>
  span.slots.filter((slot) => slot.fold === undefined || slot.fold !== span.previous?.ref).map((slot) => slot.message);

/** How many units end at or before a transcript message. */
function countUnitsUpTo(
  look: Look,
  units: readonly Unit[],
  id: MessageId | undefined,
  otherwise = units.length,
): number {
  const place = id === undefined ? undefined : look.placeOf(id);
  if (place === undefined) return otherwise;
  const found = units.findIndex((unit) => unit.last.last > place);
  return found < 0 ? units.length : found;
}

/**
 * How many units a draft up to a transcript message is about. Where it ends inside of what has been folded since, the fold goes
 * with it: code told of the rest, and tells of it again. The digest of a collapsed span may stand behind text that stays.
 */
function countDrafted(look: Look, units: readonly Unit[], id: MessageId): number {
  const count = countUnitsUpTo(look, units, id);
  const place = look.placeOf(id) ?? -1;
  const holdsIt = ({ fold, first, last, summary }: Slot): boolean =>
    fold !== undefined && (look.placeOf(summary?.from ?? '') ?? first) <= place && place < last;
  return Math.max(count, units.findLastIndex(({ slots }) => slots.some(holdsIt)) + 1);
}

/** The first unit of the tail: the last turns, as far as they fit; a turn that does not fit is split between its rounds. */
function findTail(look: Look, units: readonly Unit[], options: SummarizeHistoryOptions): number {
  const { tailTurns = 2, tailFraction = 0.25, tailLeast = 2_000, tailMost = 8_000 } = options;
  const { given } = look;
  const { keepMessages: most = Infinity } = given.asked;
  // Without turns to keep, only those messages stay that were asked for by their number.
  if (tailTurns === 0 && most === Infinity) return units.length;
  const mostTurns = tailTurns === 0 ? Infinity : tailTurns;
  const keepsNewest = tailTurns > 0 && options.keepNewest !== false;
  const share = Math.min(tailMost, Math.max(tailLeast, Math.floor(windowForMessages(given.budget) * tailFraction)));
  const room = Math.min(share, Math.floor(targetForMessages(given.budget) * 0.6));
  let used = 0;
  let turns = 0;
  let messages = 0;
  let at = units.length;
  for (const [back, unit] of units.toReversed().entries()) {
    const i = units.length - 1 - back;
    // Text of users that stays in any case takes nothing from the tail.
    if (!isAllKept(look, unit)) {
      used += unit.tokens;
      messages += unit.slots.length;
    }
    if (isSummary(unit.first)) break;
    const isSpared = keepsNewest && i === units.length - 1;
    if (!isSpared && (used > room || messages > most)) break;
    at = i;
    if (unit.slots.some(isWords) && ++turns >= mostTurns) break;
  }
  return at;
}
