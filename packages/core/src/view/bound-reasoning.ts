import { asFields, isSameJson } from '../json.ts';
import type { Message, Part } from '../message/message.ts';
import { partIndex, type Slot } from './slot.ts';

/** What a request held: the first `length` slots of a list that only ever grows at its end, and what stood behind them. */
export interface Prefix {
  readonly slots: readonly Slot[];
  readonly length: number;
  readonly tail: readonly Message[];
}

/** The newest view that was handed out, and how many messages of the base there were then. */
export interface HandedView extends Prefix {
  readonly count: number;
}

/** What of a state tells behind which messages an answer was made. */
export interface Bindings {
  readonly base: readonly Message[];
  readonly slots: readonly Slot[];
  readonly handed: HandedView | undefined;
  /** By the place of an answer with reasoning that a provider may bind: what it was made behind; null where no view can show that again. */
  readonly madeBehind: Map<number, Prefix | null>;
}

/** Whether a provider may check the part against the exact prefix: signed or redacted reasoning, however a host wrote it down. */
export const isBindable = (part: Part): boolean =>
  part.type === 'reasoning'
    ? part.signature !== undefined
    : part.type === 'native' && /^(redacted_)?thinking$/.test(String(asFields(part.block).type));

/** Notes behind what an answer was made, as it is appended. */
export function bindAnswer(state: Bindings, message: Message, place: number): void {
  if (message.role === 'assistant' && message.parts.some(isBindable)) state.madeBehind.set(place, findPrefix(state));
}

/**
 * An answer was made behind the newest view that was handed out, whatever was decided or appended since; one that comes in
 * several messages, behind those before it too. Where no view was asked for, the view as it stands is what was sent.
 */
function findPrefix({ base, slots, handed }: Bindings): Prefix | null {
  const standing: Prefix = { slots, length: slots.length, tail: [] };
  if (handed === undefined) return standing;
  let start = base.length;
  while (start > handed.count && base[start - 1]?.role === 'assistant') start--;
  for (let at = start - 1; at >= handed.count; at--) if (base[at]?.role === 'assistant') return standing;
  const last = handed.tail.at(-1) ?? handed.slots[handed.length - 1]?.message;
  if (last !== undefined && isSentShortened(last)) return null;
  return { ...handed, tail: [...handed.tail, ...base.slice(start)] };
}

/** An answer that goes on with the model's own words: providers refuse reasoning or white space there, so wires cut it off. */
function isSentShortened({ role, parts }: Message): boolean {
  const last = parts.at(-1);
  if (role !== 'assistant' || last === undefined) return false;
  return isBindable(last) || last.type === 'reasoning' || (last.type === 'text' && /\s$/.test(last.text));
}

/** A slot with reasoning that stands behind something else than it was made behind, and which of the original's parts that is. */
export interface UnboundSlot {
  readonly at: number;
  readonly slot: Slot;
  readonly parts: readonly number[];
}

/**
 * The one rule for reasoning that is bound to its prefix: it may be shown only behind the very messages it was made behind.
 * What changed them (a walk, an undo, a switch, a crash) does not matter. What goes changes the prefix of all that follows.
 */
export function findUnbound(state: Bindings, slots: readonly Slot[]): readonly UnboundSlot[] {
  const answers = findAnswers(state, slots);
  if (answers.size === 0) return [];
  const shown = newShownPrefix(answers.values());
  const unbound: UnboundSlot[] = [];
  for (const [at, slot] of slots.entries()) {
    const made = answers.get(at);
    const parts = made === undefined ? [] : findLooseParts(slot, state.base[slot.first], shown.is(made));
    if (parts.length === 0) shown.add(slot.message);
    else {
      unbound.push({ at, slot, parts });
      const rest = slot.message.parts.filter((_, i) => !parts.includes(partIndex(slot, i)));
      if (rest.length > 0) shown.add({ ...slot.message, parts: rest });
    }
  }
  return unbound;
}

/** By their indexes, the slots with reasoning that may be bound, and what they were made behind. */
function findAnswers({ madeBehind }: Bindings, slots: readonly Slot[]): ReadonlyMap<number, Prefix | null> {
  const answers = new Map<number, Prefix | null>();
  for (const [at, slot] of slots.entries()) {
    const made = slot.fold === undefined ? madeBehind.get(slot.first) : undefined;
    if (made !== undefined && slot.message.parts.some(isBindable)) answers.set(at, made);
  }
  return answers;
}

/** A view as it grows, held against several lists at once: one look at a message for each of them. */
function newShownPrefix(prefixes: Iterable<Prefix | null>) {
  const messages: Message[] = [];
  /** How many messages of a list stand here as they stood there. */
  const same = new Map<readonly Slot[], number>();
  for (const prefix of prefixes) if (prefix !== null) same.set(prefix.slots, 0);
  return {
    add(message: Message): void {
      for (const [list, count] of same) {
        const before = count === messages.length ? list[count]?.message : undefined;
        if (before !== undefined && isSameMessage(before, message)) same.set(list, count + 1);
      }
      messages.push(message);
    },
    /** Whether all that was shown so far is this, neither less nor more. */
    is(prefix: Prefix | null): boolean {
      if (prefix === null || messages.length !== prefix.length + prefix.tail.length) return false;
      const behind = messages.slice(prefix.length);
      return (
        (same.get(prefix.slots) ?? 0) >= prefix.length &&
        prefix.tail.every((message, i) => behind[i] !== undefined && isSameMessage(message, behind[i]))
      );
    },
  };
}

/** To a provider a message is its role and its parts. */
const isSameMessage = (a: Message, b: Message): boolean =>
  a === b ||
  (a.role === b.role &&
    a.parts.length === b.parts.length &&
    a.parts.every((part, i) => part === b.parts[i] || isSameJson(part, b.parts[i])));

/** Inside a message reasoning is bound to the parts before it as well. */
function findLooseParts(slot: Slot, original: Message | undefined, behind: boolean): readonly number[] {
  const loose: number[] = [];
  let intact = behind;
  for (const [i, part] of original?.parts.entries() ?? []) {
    const edited = slot.edited?.has(i) === true;
    if (edited) intact = false;
    else if (!intact && isBindable(part)) loose.push(i);
  }
  return loose;
}
