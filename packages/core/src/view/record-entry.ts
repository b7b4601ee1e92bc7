import type { EditsEntry, Entry } from '../ledger/ledger.ts';
import { voidBase } from '../size/meter.ts';
import type { HandedView } from './bound-reasoning.ts';
import { numberIn } from './reference.ts';
import type { Slot } from './slot.ts';
import { applyEdits, changeSizes, noSizes, type SlotList } from './slot-list.ts';
import { findClosing, makeSlot, type ViewState } from './view-state.ts';

/** The entries of one walk: never none. */
export type WalkEntries = readonly [EditsEntry, ...EditsEntry[]];

/**
 * Takes a ledger entry into the state: what a session does as it decides, and what loading does again. `made`: the view behind
 * the entry and those of its walk before it, where that is known.
 */
export function recordEntry(state: ViewState, entry: Entry, made?: SlotList): void {
  state.entries.push(entry);
  state.madeAt.push(state.transcript.length);
  if (entry.type !== 'edits') state.unfinished = [];
  switch (entry.type) {
    case 'edits':
      recordWalk(state, entry, made);
      return;
    case 'draft':
      state.drafts = [...state.drafts, entry.draft];
      return;
    case 'fact':
      if (entry.fact.type === 'failed' && entry.fact.need === 'summary') state.failures++;
      return;
    case 'usage':
      state.meter = entry.meter ?? state.meter;
      return;
    case 'seen':
      state.seen = Math.max(state.seen, entry.count);
      if (entry.handedOut !== false) state.handed = takeHandedView(state);
      return;
    case 'pin':
      state.pins.add(entry.message);
      return;
    case 'unpin':
      state.pins.delete(entry.message);
      return;
    case 'revert':
      Object.assign(state, computeView(state));
      state.meter = voidBase(state.meter);
      state.drafts = [];
      // Words of the user's that go again say nothing about pressure: a pause from before them stays.
      if (entry.by === 'edit') return;
      state.held = entry.by === undefined;
      state.ineffective = 0;
  }
}

/** The view as it stands now, as it is handed out. */
function takeHandedView(state: ViewState): HandedView {
  const closing = findClosing(state);
  const tail = closing === undefined ? [] : [closing];
  return { slots: state.slots, length: state.slots.length, tail, count: state.base.length };
}

/**
 * A walk counts as a whole: its entries wait for the last of them. Numbers and references of one that a crash cut short are
 * given out all the same, since its entries stay in the journal.
 */
function recordWalk(state: ViewState, entry: EditsEntry, made: SlotList | undefined): void {
  state.walks = Math.max(state.walks, entry.walk);
  takeNames(state, entry);
  // What comes behind a whole walk (a hook's words) belongs to it, and waits for nothing.
  const awaited = state.finished === entry.walk ? 1 : (entry.of ?? 1);
  const entries = state.unfinished[0]?.walk === entry.walk ? [...state.unfinished, entry] : [entry];
  state.unfinished = entries.length < awaited ? entries : [];
  if (entries.length < awaited) return;
  if (awaited > 1) state.finished = entry.walk;
  if (made !== undefined) Object.assign(state, { slots: made.slots.slice(), sizes: made.sizes });
  for (const one of entries) {
    if (made === undefined) Object.assign(state, applyEdits(state, state, one.edits));
    judgeEdits(state, one);
  }
}

/** What edits say about all that was measured and prepared before them. */
function judgeEdits(state: ViewState, entry: EditsEntry): void {
  if (entry.pressed || entry.edits.some((edit) => edit.type === 'fold')) state.meter = voidBase(state.meter);
  if (entry.pressed) judgeWalk(state, entry);
  for (const edit of entry.edits) {
    if (edit.type !== 'fold' || edit.summary?.of !== 'history') continue;
    // Another summary stands now: what was drafted behind the old one is void.
    state.drafts = [];
    if (edit.summary.by === 'model' || edit.summary.by === 'draft') state.failures = 0;
  }
}

/** What an edit is called by, and the messages that it makes, no message of the host can be called by any more. */
function takeNames(state: ViewState, { edits }: EditsEntry): void {
  const { names } = state.gate;
  for (const edit of edits) {
    state.refs = Math.max(state.refs, numberIn(edit.ref));
    names.add(edit.ref);
    if (edit.type === 'fold' || edit.type === 'insert') for (const { id } of edit.messages) names.add(id);
  }
}

/** A walk under pressure that frees less than this share of what can be compacted might as well not have been made. */
const EFFECTIVE_SHARE = 0.05;

/** What a walk came to is judged from its first entry under pressure to the newest, so it makes no odds how entries come in. */
function judgeWalk(state: ViewState, entry: EditsEntry): void {
  state.held = false;
  if (state.judged?.first.walk !== entry.walk) state.judged = { first: entry, ineffective: state.ineffective };
  const { first, ineffective } = state.judged;
  const freed = first.tokensBefore - entry.tokensAfter;
  const compactable = Math.max(0, first.tokensBefore - (first.overhead ?? 0));
  const helped = freed >= compactable * EFFECTIVE_SHARE && freed >= first.over / 2;
  // A cold cache presses once, at the call behind a pause: what it does not gain is lost to nobody.
  state.ineffective = helped ? 0 : first.cause === 'cold' ? ineffective : ineffective + 1;
}

/** The walks that stand, newest last: made as a whole, and not taken back. */
export function standingWalks(entries: readonly Entry[]): readonly WalkEntries[] {
  const gone = new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));
  const walks = new Map<number, [EditsEntry, ...EditsEntry[]]>();
  for (const entry of entries) {
    if (entry.type !== 'edits' || gone.has(entry.walk)) continue;
    const walk = walks.get(entry.walk);
    if (walk === undefined) walks.set(entry.walk, [entry]);
    else walk.push(entry);
  }
  return [...walks.values()].filter((walk) => walk.length >= (walk[0].of ?? 1));
}

/** The standing walks that can be taken back, newest last: what only unbound reasoning would have to be done again. */
export const revertibleWalks = (entries: readonly Entry[]): readonly WalkEntries[] =>
  standingWalks(entries).filter((walk) => walk.some((entry) => entry.unbinds !== true));

/** The view computed anew from the transcript and the edits that stand, without those of some walks. */
export function computeView(state: ViewState, without: ReadonlySet<number> = new Set()): SlotList {
  const slots = state.base.map((message, place): Slot => makeSlot(message, place, state.count));
  let list: SlotList = { slots, sizes: changeSizes(noSizes, [], slots) };
  for (const walk of standingWalks(state.entries))
    if (!without.has(walk[0].walk)) for (const entry of walk) list = applyEdits(state, list, entry.edits);
  return list;
}
