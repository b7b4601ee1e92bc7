import type { Edit, FoldEdit, SummaryMark } from '../ledger/edit.ts';
import type { Message, Part } from '../message/message.ts';
import { droppedNotice } from '../notices.ts';
import type { KeptText } from '../view/kept-text.ts';
import type { Look } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { type Span, spanBetween, type Unit } from '../view/units.ts';
import { type EditBatch, newEditBatch } from './edit-batch.ts';
import { countBehind, foldSlots, makeMessage, type StandsFor } from './fold-slots.ts';

/** What goes when units are hidden: runs of whole messages, and parts of messages that stay for the sake of their text. */
export interface Hiding {
  readonly runs: readonly Span[];
  /** The messages that stay in between. */
  readonly stay: readonly Slot[];
  /** Of these, the parts that go: results above all, since their calls go. */
  readonly parts: readonly { readonly slot: Slot; readonly parts: readonly number[] }[];
  /** What was put behind messages that stay. */
  readonly inserted: readonly Slot[];
}

/** What of the units goes: all but the text of users and clients, and what is put behind it. */
export function splitAround(look: Look, units: readonly Unit[], kept: KeptText = look.kept): Hiding {
  const runs: Span[] = [];
  const stay: Slot[] = [];
  const inserted: Slot[] = [];
  const parts: { slot: Slot; parts: readonly number[] }[] = [];
  let start: number | undefined;
  let end = 0;
  const endRun = (at = end): void => {
    const run = start === undefined ? undefined : spanBetween(look.slots, start, at);
    if (run !== undefined) runs.push(run);
    start = undefined;
  };
  for (const unit of units) {
    const pinned = isPinned(look, unit);
    if (unit.start !== end) endRun();
    let stays = pinned;
    for (const [i, slot] of unit.slots.entries()) {
      // What was put behind a message stands behind it, and cannot be folded without it.
      if (slot.inserted !== true) stays = pinned || isKept(kept, slot);
      else if (stays && !pinned) inserted.push(slot);
      end = unit.start + i + 1;
      if (!stays) {
        start ??= unit.start + i;
        continue;
      }
      endRun(unit.start + i);
      stay.push(slot);
      const gone = pinned ? [] : listGone(look, kept, slot);
      if (gone.length > 0) parts.push({ slot, parts: gone });
    }
  }
  endRun();
  return { runs, stay, parts, inserted };
}

/** A pin holds the whole unit. */
export const isPinned = (look: Pick<Look, 'isPinned'>, unit: Unit): boolean =>
  unit.slots.some((slot) => look.isPinned(slot.message.id));

const isKept = (kept: KeptText, slot: Slot): boolean => slot.fold === undefined && kept.has(slot.first);

/** Whether a unit holds nothing that could go. */
export const isAllKept = (look: Look, unit: Unit): boolean =>
  isPinned(look, unit) ||
  unit.slots.every(
    (slot) => slot.inserted === true || (isKept(look.kept, slot) && listGone(look, look.kept, slot).length === 0),
  );

/** Of a message that stays: results, and text that is not kept. What stands in the place of a picture stays. */
function listGone(look: Pick<Look, 'original'>, text: KeptText, slot: Slot): readonly number[] {
  const kept = text.get(slot.first);
  if (kept === undefined || slot.fold !== undefined) return [];
  const { parts } = look.original(slot);
  const goes = (type: Part['type'] | undefined): boolean => type === 'result' || type === 'text';
  return slot.message.parts.flatMap((_, shown) => {
    const index = partIndex(slot, shown);
    return goes(parts[index]?.type) && !kept.has(index) ? [index] : [];
  });
}

/** What goes of the messages that stay, in a batch. */
export function dropParts(batch: EditBatch, { parts }: Pick<Hiding, 'parts'>): void {
  for (const one of parts) batch.drop(one.slot, one.parts);
}

/** The edits that hide units, and what they free. */
export interface Hidden {
  readonly edits: readonly Edit[];
  /** The tokens of all that goes, and of what comes in its place. */
  readonly gone: number;
  readonly made: number;
}

/** Makes the messages that stand in the place of the last run. `ref`: what the notice in them may name. */
type MakeLast = (ref: string, standsFor: StandsFor) => readonly Message[];

/**
 * Folds the runs. What they come to stands in the place of the last of them, behind all text that stays; the others leave
 * nothing, except where the view could not begin with what is left. `before`: how many edits the decision has already.
 */
export function hideAround(
  look: Look,
  hiding: Hiding,
  mark: ((ref: string) => SummaryMark) | undefined,
  make: MakeLast,
  before = 0,
): Hidden {
  const batch = newEditBatch(look, before);
  dropParts(batch, hiding);
  const { runs } = hiding;
  const folds = runs.map((run, i): FoldEdit => {
    const ref = look.ref(before + batch.edits.length + i);
    if (i === runs.length - 1) {
      const from = look.original(runs[0]?.first ?? run.first).id;
      const fold = foldSlots(look, run, ref, ({ to }) => make(ref, { from, to }));
      return mark === undefined ? fold : { ...fold, summary: mark(ref) };
    }
    return foldSlots(look, run, ref, (standsFor) =>
      needsNotice(look, run)
        ? [makeMessage(ref, standsFor, droppedNotice(countBehind(run), ref, look.given.canRecall))]
        : [],
    );
  });
  const made = folds.flatMap((fold) => fold.messages).reduce((sum, message) => sum + look.count(message), 0);
  return { edits: [...batch.edits, ...folds], gone: goneTokens(hiding) + batch.freed.tokens, made };
}

/** The tokens of the messages that go whole. */
export const goneTokens = ({ runs }: Pick<Hiding, 'runs'>): number => runs.reduce((sum, run) => sum + run.tokens, 0);

/** Providers want a user's message first. */
const needsNotice = ({ slots }: Look, run: Span): boolean =>
  run.start === 0 && slots[run.end]?.message.role === 'assistant';
