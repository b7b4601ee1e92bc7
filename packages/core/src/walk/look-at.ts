import { listUserTexts } from '../message/user-text.ts';
import { userTextRoom } from '../size/budget.ts';
import { sizeOf } from '../size/meter.ts';
import type { Circumstances } from '../view/circumstances.ts';
import { findKeptText, type KeptText } from '../view/kept-text.ts';
import type { Look } from '../view/look.ts';
import { newReferences } from '../view/reference.ts';
import { searchTranscripts } from '../view/search-transcript.ts';
import type { SlotList } from '../view/slot-list.ts';
import { findClosing, type ViewState } from '../view/view-state.ts';

/** Estimated tokens of a whole request whose messages are these. */
export function estimateRequest(state: ViewState, view: SlotList, overheadTokens: number): number {
  const closing = findClosing(state);
  return overheadTokens + view.sizes.tokens + (closing === undefined ? 0 : state.count(closing));
}

/** Calibrated tokens of a whole request whose messages are these. */
export const measureRequest = (state: ViewState, view: SlotList, overheadTokens: number): number =>
  sizeOf(state.meter, estimateRequest(state, view, overheadTokens));

/** What of a walk under way a look is made of. */
export interface WalkSoFar extends Pick<Look, 'tokens' | 'over' | 'needed' | 'cause' | 'digest'> {
  /** The number of the reference that was given out last. */
  readonly refs: number;
  /** The view that the layers began with. */
  readonly shown: SlotList;
}

/** What a layer sees of a view in the middle of a walk. */
export function lookAt(state: ViewState, view: SlotList, given: Circumstances, now: WalkSoFar): Look {
  const { tokens, over, needed, cause, refs, shown, digest } = now;
  // Of a long history that was never shown all is fresh, and every layer looks.
  const fresh = state.seen === 0 ? 0 : view.slots.findLastIndex((slot) => slot.first < state.seen) + 1;
  const freshEstimate =
    fresh === 0 ? view.sizes.tokens : view.slots.slice(fresh).reduce((sum, slot) => sum + slot.tokens, 0);
  const { keepsUserText, countText, budget } = given;
  const rule = { keepsUserText, countText, room: userTextRoom(budget) };
  let kept: KeptText | undefined;
  let keptAlways: KeptText | undefined;
  return {
    slots: view.slots,
    tokens,
    over,
    needed,
    pressed: over.tokens > 0 || over.bytes > 0 || over.images > 0 || over.messages > 0,
    ...(cause === undefined ? {} : { cause }),
    fresh,
    freshTokens: Math.ceil(freshEstimate * state.meter.ratio),
    given,
    shown: { slots: shown.slots, tokens: measureRequest(state, shown, given.overhead.tokens) },
    drafts: state.drafts,
    hasOpenCalls: state.gate.open.size > 0,
    isPinned: (id) => state.pins.has(id),
    count: state.count,
    ref: newReferences(state.gate, refs),
    original: (slot) => state.base[slot.first] ?? slot.message,
    behind: (from, to) => state.base.slice(from.first, to.last + 1),
    placeOf: (id) => state.places.get(id),
    get kept() {
      kept ??= findKeptText(view.slots, state.base, rule);
      return kept;
    },
    get keptAlways() {
      keptAlways ??= rule.keepsUserText
        ? this.kept
        : findKeptText(view.slots, state.base, { ...rule, keepsUserText: true });
      return keptAlways;
    },
    userTexts: (first, last) => listUserTexts(state.base).filter(({ place }) => place >= first && place <= last),
    digest,
    search: (query, options = {}) => searchTranscripts([state], query, options),
  };
}
