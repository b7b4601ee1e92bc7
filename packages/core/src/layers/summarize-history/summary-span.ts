import type { Message, MessageId } from '../../message/message.ts';
import type { Look } from '../../view/look.ts';
import { isWords, type Unit, unitsOf } from '../../view/units.ts';

/** What a summary is to stand for: the slots from `start` to before `end`, always whole units. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly units: readonly Unit[];
  /** The transcript messages at both ends. */
  readonly from: MessageId;
  readonly to: MessageId;
  /** The live summary inside it, which is brought up to date. */
  readonly previous?: { readonly ref: string; readonly narrative?: string };
}

export interface TailOptions {
  readonly tailTurns?: number;
  readonly tailFraction?: number;
  readonly tailLeast?: number;
  readonly tailMost?: number;
}

/** Where to cut: as asked, at a draft's end (`upTo`), or behind the tail that stays. Undefined: there is nothing to summarize. */
export function cutFor(look: Look, options: TailOptions, upTo?: MessageId): Cut | undefined {
  const units = unitsOf(look.slots);
  // The newest unit stays: it is the work in hand, and calls in flight are in it. `all` takes it too where it can.
  const latest = look.hasOpenCalls || look.asked.form !== 'all' ? units.length - 1 : units.length;
  let first = 0;
  let end = latest;
  if (upTo !== undefined) end = Math.min(latest, unitsUpTo(look, units, upTo));
  else if (look.asked.form === 'from') first = unitsUpTo(look, units, look.asked.at, 0);
  else if (look.asked.form === 'up-to' && look.asked.at !== undefined)
    end = Math.min(latest, unitsUpTo(look, units, look.asked.at));
  else if (look.asked.form !== 'all') end = Math.min(latest, tailStart(look, units, options));
  const chosen = units.slice(first, end);
  if (chosen.length === 0) return undefined;
  const slots = look.slots.slice(chosen[0]!.start, chosen.at(-1)!.end);
  // A summary alone says nothing new when it is summarized again.
  if (slots.every((slot) => slot.summary?.of === 'history' || look.isPinned(slot.message.id))) return undefined;
  const behind = look.behind(slots[0]!, slots.at(-1)!);
  const summary = slots.find((slot) => slot.summary?.of === 'history');
  return {
    start: chosen[0]!.start,
    end: chosen.at(-1)!.end,
    units: chosen,
    from: behind[0]!.id,
    to: behind.at(-1)!.id,
    ...(summary === undefined
      ? {}
      : {
          previous: {
            ref: summary.fold!,
            ...(summary.summary?.narrative === undefined ? {} : { narrative: summary.summary.narrative }),
          },
        }),
  };
}

/** The span's messages as the view shows them; the previous summary reaches the summarizer once, as such. */
export const spanOf = (look: Look, cut: Cut): readonly Message[] =>
  look.slots
    .slice(cut.start, cut.end)
    .filter((slot) => slot.summary?.of !== 'history')
    .map((slot) => slot.message);

/** How many units end at or before a transcript message. */
function unitsUpTo(look: Look, units: readonly Unit[], id: MessageId | undefined, otherwise = units.length): number {
  const place = id === undefined ? undefined : look.placeOf(id);
  if (place === undefined) return otherwise;
  const found = units.findIndex((unit) => look.slots[unit.end - 1]!.last > place);
  return found < 0 ? units.length : found;
}

/** The first unit of the tail: the last turns, as far as they fit; a turn that does not fit is split between its rounds. */
function tailStart(look: Look, units: readonly Unit[], options: TailOptions): number {
  const { tailTurns = 2, tailFraction = 0.25, tailLeast = 2_000, tailMost = 8_000 } = options;
  const clamped = Math.min(tailMost, Math.max(tailLeast, Math.floor(look.budget.effective * tailFraction)));
  const room = Math.min(clamped, Math.floor(look.budget.target * 0.6));
  const most = look.asked.keepMessages ?? Infinity;
  let used = 0;
  let turns = 0;
  let messages = 0;
  let at = units.length;
  for (let i = units.length - 1; i >= 0; i--) {
    const unit = units[i]!;
    used += unit.tokens;
    messages += unit.end - unit.start;
    if (look.slots[unit.start]!.summary?.of === 'history') break;
    if (i < units.length - 1 && (used > room || messages > most)) break;
    at = i;
    if (look.slots.slice(unit.start, unit.end).some(isWords) && ++turns >= tailTurns) break;
  }
  return at;
}
