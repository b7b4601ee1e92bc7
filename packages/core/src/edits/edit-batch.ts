import { type Edit, type Excerpt, type PartEdit, startOf } from '../ledger/edit.ts';
import type { Trigger } from '../ledger/ledger.ts';
import type { CallPart, MessageId, Part, ResultPart } from '../message/message.ts';
import { type ToolKind, toolKind } from '../message/tool-kinds.ts';
import { payback } from '../size/cost.ts';
import type { Look } from '../view/look.ts';
import { editSlot, placeOf, type Slot } from '../view/slot.ts';
import { callFor } from '../view/units.ts';

/** Edits of parts in the making: numbers them, refuses any that would not make the view smaller, and adds up what they free. */
export interface Draft {
  readonly edits: readonly Edit[];
  readonly freedTokens: number;
  readonly freedBytes: number;
  readonly freedImages: number;
  /** True when the edit was taken; a placeholder no smaller than what it replaces is not. */
  add(at: number, make: (ref: string, message: MessageId) => PartEdit): boolean;
}

/** Begins the edits of one decision: a layer adds to it and answers with its `edits`. */
export function newDraft(look: Look): Draft {
  const edits: Edit[] = [];
  const changed = new Map<number, Slot>();
  const freed = { tokens: 0, bytes: 0, images: 0 };
  return {
    edits,
    get freedTokens() {
      return freed.tokens;
    },
    get freedBytes() {
      return freed.bytes;
    },
    get freedImages() {
      return freed.images;
    },
    add(at, make) {
      const slot = changed.get(at) ?? look.slots[at]!;
      const original = look.original(slot);
      const edit = make(look.ref(edits.length), original.id);
      const after = editSlot(slot, original, edit, look.count);
      if (after.tokens >= slot.tokens || after.message.parts.length === 0) return false;
      edits.push(edit);
      changed.set(at, after);
      freed.tokens += slot.tokens - after.tokens;
      freed.bytes += slot.bytes - after.bytes;
      freed.images += slot.images - after.images;
      return true;
    },
  };
}

/** Why a walk acts whatever it costs, where it is not for the limit. */
const FORCED: Partial<Readonly<Record<Trigger, string>>> = {
  manual: 'asked for',
  tool: 'asked for by the model',
  idle: 'done while idle',
};

/** At the pace so far, the calls until the trigger: what is saved must be saved by then, since all is written anew there. */
function callsLeft(look: Look): number {
  const answers = look.slots.reduce((sum, slot) => sum + (slot.message.role === 'assistant' ? 1 : 0), 0);
  return Math.max(0, Math.floor(((look.budget.trigger - look.tokens) * Math.max(1, answers)) / look.tokens));
}

/** Whether the edits of a draft are worth their cache break, and why. `minimum`: smaller batches wait, unless the cache is cold. */
export function worth(look: Look, draft: Draft, minimum: number): { readonly pays: boolean; readonly reason: string } {
  const first = draft.edits.reduce((least, edit) => Math.min(least, look.placeOf(startOf(edit)) ?? Infinity), Infinity);
  let behind = 0;
  for (let at = look.slots.length - 1; at >= 0 && look.slots[at]!.last >= first; at--) behind += look.slots[at]!.tokens;
  const forced = look.over.tokens > 0 || look.over.bytes > 0;
  const proposal = {
    freed: draft.freedTokens,
    behind: Math.max(0, behind - draft.freedTokens),
    ...(forced ? { forced: FORCED[look.trigger] ?? 'the limit is near' } : {}),
  };
  const remainingCalls = Math.min(look.cache.remainingCalls, callsLeft(look));
  const { pays, reason } = payback({ ...look.cache, remainingCalls }, proposal);
  const enough = forced || look.cache.state === 'cold' || draft.freedTokens >= minimum;
  return { pays: pays && enough, reason };
}

/** A tool result in the view, with the call it answers. */
export interface ResultSite {
  /** Index of its slot in `look.slots`. */
  readonly at: number;
  /** Which part of the transcript's message it is: what an edit names. */
  readonly place: number;
  readonly part: ResultPart;
  readonly call: CallPart | undefined;
  readonly kind: ToolKind;
  /** An earlier edit already touched it; most layers pass it over then. */
  readonly edited: boolean;
}

export function siteOf(look: Look, at: number, shown: number, part: ResultPart): ResultSite {
  const slot = look.slots[at]!;
  const place = placeOf(slot, shown);
  const call = callFor(look.slots, at, part.callId);
  const kind = call === undefined ? 'other' : toolKind(call.tool, call.input);
  return { at, place, part, call, kind, edited: slot.edited?.has(place) === true };
}

/** Results in slots `start` to `end`, newest first, so that a layer can stop as soon as it knows enough. */
export function* resultsBackwards(look: Look, start: number, end: number): Generator<ResultSite> {
  for (let at = end - 1; at >= start; at--) {
    const slot = look.slots[at]!;
    if (slot.message.role !== 'user' || slot.fold !== undefined) continue;
    for (let shown = slot.message.parts.length - 1; shown >= 0; shown--) {
      const part = slot.message.parts[shown]!;
      if (part.type === 'result') yield siteOf(look, at, shown, part);
    }
  }
}

export const toolName = (site: ResultSite): string => site.call?.tool ?? 'tool';

/** For `Draft.add`: the edit that puts an excerpt in a result's place. `stash` is where the full text was saved. */
export const replaceResult =
  (site: Pick<ResultSite, 'place'>, excerpt: (ref: string) => Excerpt, stash?: string) =>
  (ref: string, message: MessageId): PartEdit => ({
    type: 'replace',
    ref,
    message,
    part: site.place,
    excerpt: excerpt(ref),
    ...(stash === undefined ? {} : { stash }),
  });

export const hasMedia = (part: Part): boolean =>
  part.type === 'media' || (part.type === 'result' && part.content.some((piece) => piece.type === 'media'));
