import type { Evidence } from '../digest/evidence.ts';
import { CompactionError } from '../errors.ts';
import { type Edit, type FoldEdit, type InsertEdit, startOf } from '../ledger/edit.ts';
import type { DraftFact, EditsEntry, Entry } from '../ledger/ledger.ts';
import { type Admission, admit, closing, enter, type Gate, newGate, problemError } from '../message/admit.ts';
import type { Message, MessageId, NewMessage } from '../message/message.ts';
import { type Meter, newMeter, voidBase } from '../size/meter.ts';
import { type Count, editSlot, type Slot, weighed } from './slot.ts';

/** Sizes of a list of slots; kept up to date as it changes, so that asking costs nothing. */
export interface Sums {
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
}

export interface Sheet {
  readonly slots: readonly Slot[];
  readonly sums: Sums;
}

/**
 * A transcript with its view, grown message by message. The only mutable thing in core, and private to plan and session:
 * sheets handed to layers are never changed after.
 */
export interface Page {
  readonly gate: Gate;
  /** The transcript as said. */
  readonly transcript: Message[];
  /** The transcript as any view may show it: late results as text, unanswered calls closed. Edits name these messages. */
  readonly base: Message[];
  readonly places: Map<MessageId, number>;
  readonly pins: Set<MessageId>;
  readonly entries: Entry[];
  readonly count: Count;
  meter: Meter;
  /** Summaries in a row that the summarizer failed to bring. */
  failures: number;
  drafts: DraftFact[];
  /** What the digest has read off the transcript so far; grows with the compactions that ask for it. */
  read: { upTo: number; evidence: Evidence } | undefined;
  /** Walks under pressure in a row, up to now, that freed next to nothing. */
  ineffective: number;
  /** The newest decision was to take a walk back: pressure waits until the blocking limit. */
  held: boolean;
  /** How many base messages were in a view that was handed out. */
  seen: number;
  walks: number;
  refs: number;
  slots: Slot[];
  sums: Sums;
}

export const newPage = (count: Count): Page => ({
  gate: newGate(),
  transcript: [],
  base: [],
  places: new Map(),
  pins: new Set(),
  entries: [],
  count,
  meter: newMeter,
  failures: 0,
  drafts: [],
  read: undefined,
  ineffective: 0,
  held: false,
  seen: 0,
  walks: 0,
  refs: 0,
  slots: [],
  sums: { tokens: 0, bytes: 0, images: 0 },
});

/** Appends to the transcript, or throws what is wrong with the message and changes nothing (`lenient`: mends instead). */
export function write(page: Page, message: NewMessage, lenient = false): Admission {
  if (!Array.isArray(message?.parts))
    throw new CompactionError('empty-message', 'a message needs a role and a list of parts; nothing was appended.');
  wantJson(message);
  const admission = admit(page.gate, message);
  const problem = admission.problems[0];
  if (problem !== undefined && !lenient) throw problemError(problem);
  enter(page.gate, admission);
  page.transcript.push(admission.kept);
  for (const shown of admission.shown) show(page, shown);
  return admission;
}

/** Arguments and foreign blocks come from outside; what cannot be written down would stop every later save. */
function wantJson(message: NewMessage): void {
  for (const part of message.parts) {
    if (part.type !== 'call' && part.type !== 'native') continue;
    try {
      if (JSON.stringify(part.type === 'call' ? part.input : part.block) !== undefined) continue;
    } catch {
      // Falls through to the error: cycles and BigInt.
    }
    throw new CompactionError('not-json', `a ${part.type} holds what JSON cannot; nothing was appended.`, {
      ...(message.id === undefined ? {} : { messageId: message.id }),
    });
  }
}

function show(page: Page, message: Message): void {
  const place = page.base.length;
  page.base.push(message);
  page.places.set(message.id, place);
  const slot: Slot = { ...weighed(message, page.count), first: place, last: place };
  page.slots.push(slot);
  page.sums = sumsAfter(page.sums, [], [slot]);
}

/** A call in flight is closed in what is handed out, not in the transcript: its result may still come. */
export const provisional = (page: Page): Message | undefined =>
  page.gate.open.size === 0 ? undefined : closing(page.gate);

function sumsAfter(sums: Sums, gone: readonly Slot[], come: readonly Slot[]): Sums {
  let { tokens, bytes, images } = sums;
  for (const slot of gone) {
    tokens -= slot.tokens;
    bytes -= slot.bytes;
    images -= slot.images;
  }
  for (const slot of come) {
    tokens += slot.tokens;
    bytes += slot.bytes;
    images += slot.images;
  }
  return { tokens, bytes, images };
}

/** The index of the first slot that ends at or after a transcript place. */
export function slotAt(slots: readonly Slot[], place: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.last < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Applies edits to a copy of the sheet. Throws plain errors that the caller turns into InvariantError or bad-ledger. */
export function applyEdits(page: Page, sheet: Sheet, edits: readonly Edit[]): Sheet {
  if (edits.length === 0) return sheet;
  const slots = sheet.slots.slice();
  let sums = sheet.sums;
  const put = (at: number, gone: number, made: readonly Slot[]): void => {
    sums = sumsAfter(sums, slots.splice(at, gone, ...made), made);
  };
  for (const edit of edits) {
    const first = placeIn(page, edit, startOf(edit));
    const at = slotAt(slots, first);
    if (edit.type === 'fold') {
      const last = placeIn(page, edit, edit.to);
      let end = at;
      while (end < slots.length && slots[end]!.last <= last) end++;
      if (last < first || (slots[at]?.first ?? first) < first || (slots[end]?.first ?? last + 1) <= last)
        throw new Error(`fold ${edit.ref} cuts through something that is already folded`);
      put(at, end - at, madeSlots(page, edit.messages, first, last, edit));
      continue;
    }
    const slot = slots[at];
    if (slot === undefined || slot.first !== first || (edit.type !== 'insert' && slot.fold !== undefined))
      throw new Error(`edit ${edit.ref} changes message "${startOf(edit)}", which the view does not show`);
    if (edit.type === 'insert') {
      let end = at + 1;
      while (slots[end]?.first === slot.first && slots[end]?.last === slot.last) end++;
      put(end, 0, madeSlots(page, edit.messages, slot.first, slot.last, edit));
      continue;
    }
    const original = page.base[first]!;
    if (edit.part >= original.parts.length)
      throw new Error(`edit ${edit.ref} names part ${edit.part}, which is not there`);
    put(at, 1, [editSlot(slot, original, edit, page.count)]);
  }
  return { slots, sums };
}

function placeIn(page: Page, edit: Edit, id: MessageId): number {
  const place = page.places.get(id);
  if (place === undefined) throw new Error(`edit ${edit.ref} names message "${id}", which is not there`);
  return place;
}

const madeSlots = (
  page: Page,
  messages: readonly Message[],
  first: number,
  last: number,
  edit: FoldEdit | InsertEdit,
): Slot[] =>
  messages.map((message) => ({
    ...weighed(message, page.count),
    first,
    last,
    fold: edit.ref,
    ...(edit.type === 'fold' && edit.summary !== undefined ? { summary: edit.summary } : {}),
    ...(edit.type === 'insert' ? { inserted: true as const } : {}),
  }));

/** Takes a ledger entry into the page: what `session` does as it decides, and what loading does again. */
export function record(page: Page, entry: Entry): void {
  page.entries.push(entry);
  if (entry.type === 'edits') {
    page.walks = Math.max(page.walks, entry.walk);
    page.refs += entry.edits.length;
    const sheet = applyEdits(page, page, entry.edits);
    page.slots = sheet.slots as Slot[];
    page.sums = sheet.sums;
    if (entry.pressed || entry.edits.some((edit) => edit.type === 'fold')) page.meter = voidBase(page.meter);
    if (entry.pressed) page.held = false;
    for (const edit of entry.edits) {
      if (edit.type !== 'fold' || edit.summary?.of !== 'history') continue;
      // Another summary stands now: what was drafted behind the old one is void.
      page.drafts = [];
      if (edit.summary.by !== 'digest') page.failures = 0;
    }
  } else if (entry.type === 'draft') page.drafts = [...page.drafts, entry.draft];
  else if (entry.type === 'fact') {
    if (entry.fact.type === 'failed' && entry.fact.need === 'summary') page.failures++;
  } else if (entry.type === 'usage') page.meter = entry.meter ?? page.meter;
  else if (entry.type === 'seen') page.seen = Math.max(page.seen, entry.count);
  else if (entry.type === 'pin') page.pins.add(entry.message);
  else if (entry.type === 'unpin') page.pins.delete(entry.message);
  else if (entry.type === 'revert') {
    refold(page);
    page.meter = voidBase(page.meter);
    page.held = true;
    page.ineffective = 0;
    page.drafts = [];
  }
}

/** A walk under pressure that frees less than this share of the context might as well not have been made. */
const EFFECTIVE_SHARE = 0.05;

/** Takes the entries of one walk in. */
export function recordWalk(page: Page, entries: readonly EditsEntry[]): void {
  for (const entry of entries) record(page, entry);
  const pressed = entries.filter((entry) => entry.pressed);
  const [first, last] = [pressed[0], pressed.at(-1)];
  if (first === undefined || last === undefined) return;
  const freed = first.tokensBefore - last.tokensAfter;
  const helped = freed >= first.tokensBefore * EFFECTIVE_SHARE && freed >= first.over / 2;
  page.ineffective = helped ? 0 : page.ineffective + 1;
}

/** The walks that stand, newest last. */
export function standingWalks(entries: readonly Entry[]): readonly (readonly EditsEntry[])[] {
  const gone = revertedWalks(entries);
  const walks = new Map<number, EditsEntry[]>();
  for (const entry of entries) {
    if (entry.type !== 'edits' || gone.has(entry.walk)) continue;
    const walk = walks.get(entry.walk);
    if (walk === undefined) walks.set(entry.walk, [entry]);
    else walk.push(entry);
  }
  return [...walks.values()];
}

const revertedWalks = (entries: readonly Entry[]): ReadonlySet<number> =>
  new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));

/** The view computed anew from the transcript and the edits that stand. */
function refold(page: Page): void {
  const slots = page.base.map(
    (message, place): Slot => ({ ...weighed(message, page.count), first: place, last: place }),
  );
  let sheet: Sheet = { slots, sums: sumsAfter({ tokens: 0, bytes: 0, images: 0 }, [], slots) };
  for (const walk of standingWalks(page.entries))
    for (const entry of walk) sheet = applyEdits(page, sheet, entry.edits);
  page.slots = sheet.slots as Slot[];
  page.sums = sheet.sums;
}
