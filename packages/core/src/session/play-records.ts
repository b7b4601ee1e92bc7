import type { EditsEntry } from '../ledger/ledger.ts';
import type { JournalRecord } from '../ledger/ports.ts';
import type { Message, MessageId } from '../message/message.ts';
import { estimateMessage } from '../size/estimate-message.ts';
import { findMissingText, type MissingText } from '../view/kept-text.ts';
import { type HiddenItem, listHidden } from '../view/list-hidden.ts';
import { type Originals, originalsOf, type Receipt, receiptOf } from '../view/receipt.ts';
import type { Count, Slot } from '../view/slot.ts';
import type { SlotList } from '../view/slot-list.ts';
import { appendMessage, messagesToSend, newViewState, type ViewState } from '../view/view-state.ts';
import { loadEntry } from '../walk/load-state.ts';

/** A walk that a journal holds: what it hid, item by item, and its receipt. */
export interface PlayedWalk {
  readonly receipt: Receipt;
  readonly entries: readonly EditsEntry[];
  readonly items: readonly HiddenItem[];
  /** The view before it, in estimated tokens. */
  readonly tokensBefore: number;
}

/** One record of a journal, and the session as it stood behind it: what is read off it holds until the next is asked for. */
export interface Played {
  readonly record: JournalRecord;
  /** The view, in estimated tokens, and what one estimated token came to by the provider's reports so far. */
  readonly tokens: number;
  readonly ratio: number;
  readonly slots: readonly Slot[];
  /** The transcript as any view may show it: edits and slots name places in it. */
  readonly base: readonly Message[];
  readonly placeOf: (id: MessageId) => number | undefined;
  /** What a request would have held here. */
  readonly messages: () => readonly Message[];
  /** What users and clients wrote and the view does not show as it was written. */
  readonly missing: () => readonly MissingText[];
  /** Set where a walk took effect with this record. */
  readonly walk?: PlayedWalk;
}

/**
 * Goes through a journal again, record by record, and shows the view as it stood: for those who look at a session without
 * going on with it. Costs about what opening the session costs.
 */
export function* playRecords(
  records: Iterable<JournalRecord>,
  count: Count = estimateMessage,
): Generator<Played, void, undefined> {
  const state = newViewState(count);
  const originals = originalsOf(state);
  const placeOf = (id: MessageId): number | undefined => state.places.get(id);
  let pending: readonly EditsEntry[] = [];
  let number = 0;
  for (const record of records) {
    number++;
    const before: SlotList = { slots: state.slots, sizes: state.sizes };
    if (record.type === 'message') appendMessage(state, record.message, 'stored');
    if (record.type === 'entry') loadEntry(state, record.entry, `record ${number}`);
    pending = collectWalk(pending, record);
    const isTaken = pending.length > 0 && state.unfinished.length === 0;
    const walk = isTaken ? describeWalk(state, before, pending, originals) : undefined;
    if (isTaken) pending = [];
    yield {
      record,
      tokens: state.sizes.tokens,
      ratio: state.meter.ratio,
      slots: state.slots,
      base: state.base,
      placeOf,
      messages: () => messagesToSend(state, state.slots),
      missing: () => findMissingText(state.slots, state.base, true),
      ...(walk === undefined ? {} : { walk }),
    };
  }
}

/** The entries of a walk that is not whole yet; one that never becomes so is forgotten, as the session forgets it. */
function collectWalk(pending: readonly EditsEntry[], record: JournalRecord): readonly EditsEntry[] {
  if (record.type !== 'entry' || record.entry.type !== 'edits') return [];
  const { entry } = record;
  return pending[0]?.walk === entry.walk ? [...pending, entry] : [entry];
}

function describeWalk(
  state: ViewState,
  before: SlotList,
  entries: readonly EditsEntry[],
  originals: Originals,
): PlayedWalk | undefined {
  const [first, ...others] = entries;
  if (first === undefined) return undefined;
  return {
    receipt: receiptOf([first, ...others], originals),
    entries,
    items: listHidden(state, before, entries, originals),
    tokensBefore: before.sizes.tokens,
  };
}
