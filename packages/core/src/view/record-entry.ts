import type { EditsEntry, Entry } from '../ledger/ledger.ts';
import { voidBase } from '../size/meter.ts';
import { numberIn } from './reference.ts';
import type { Slot } from './slot.ts';
import { applyEdits, changeSizes, noSizes, type SlotList } from './slot-list.ts';
import { makeSlot, type ViewState } from './view-state.ts';

/** The entries of one walk: never none. */
export type WalkEntries = readonly [EditsEntry, ...EditsEntry[]];

/** Takes a ledger entry into the state: what a session does as it decides, and what loading does again. */
export function recordEntry(state: ViewState, entry: Entry): void {
  state.entries.push(entry);
  switch (entry.type) {
    case 'edits':
      recordEdits(state, entry);
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
      state.held = true;
      state.ineffective = 0;
      state.drafts = [];
  }
}

function recordEdits(state: ViewState, entry: EditsEntry): void {
  state.walks = Math.max(state.walks, entry.walk);
  takeNames(state, entry);
  Object.assign(state, applyEdits(state, state, entry.edits));
  if (entry.pressed || entry.edits.some((edit) => edit.type === 'fold')) state.meter = voidBase(state.meter);
  if (entry.pressed) state.held = false;
  for (const edit of entry.edits) {
    if (edit.type !== 'fold' || edit.summary?.of !== 'history') continue;
    // Another summary stands now: what was drafted behind the old one is void.
    state.drafts = [];
    if (edit.summary.by !== 'digest') state.failures = 0;
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

/** A walk under pressure that frees less than this share of the context might as well not have been made. */
const EFFECTIVE_SHARE = 0.05;

/** Takes the entries of one walk in. */
export function recordWalk(state: ViewState, entries: readonly EditsEntry[]): void {
  for (const entry of entries) recordEntry(state, entry);
  const pressed = entries.filter((entry) => entry.pressed);
  const [first, last] = [pressed[0], pressed.at(-1)];
  if (first === undefined || last === undefined) return;
  const freed = first.tokensBefore - last.tokensAfter;
  const helped = freed >= first.tokensBefore * EFFECTIVE_SHARE && freed >= first.over / 2;
  state.ineffective = helped ? 0 : state.ineffective + 1;
}

/** The walks that stand, newest last. */
export function standingWalks(entries: readonly Entry[]): readonly WalkEntries[] {
  const gone = new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));
  const walks = new Map<number, [EditsEntry, ...EditsEntry[]]>();
  for (const entry of entries) {
    if (entry.type !== 'edits' || gone.has(entry.walk)) continue;
    const walk = walks.get(entry.walk);
    if (walk === undefined) walks.set(entry.walk, [entry]);
    else walk.push(entry);
  }
  return [...walks.values()];
}

/** The view computed anew from the transcript and the edits that stand. */
function computeView(state: ViewState): SlotList {
  const slots = state.base.map((message, place): Slot => makeSlot(message, place, state.count));
  let list: SlotList = { slots, sizes: changeSizes(noSizes, [], slots) };
  for (const walk of standingWalks(state.entries))
    for (const entry of walk) list = applyEdits(state, list, entry.edits);
  return list;
}
