import type { Excerpt } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import { type Json, type Message, partText } from '../message/message.ts';
import { cutMark, cutPartsMark, cutResultMark, isCutPartsMark, mediaRemovedNotice, shortCutMark } from '../notices.ts';
import { cutHead } from '../text.ts';
import { tryEdits } from '../view/edit-slot.ts';
import type { Look } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import type { EditBatch, MakePartEdit } from './edit-batch.ts';

/**
 * Brings one message down to at most `allowed` tokens where that can be done: texts and results keep head and tail around
 * a pointer, arguments keep their shape, reasoning goes whole, pictures leave markers. What is kept is the most that fits.
 * Text of users beside results is cut only where cutting these is not enough; with `keepsText` not even then.
 */
export type ShrinkMessage = (batch: EditBatch, slot: Slot, allowed: number, keepsText?: boolean) => void;

/** A message that is to get smaller. */
interface Source {
  readonly slot: Slot;
  readonly original: Message;
  readonly canRecall: boolean;
  /** The parts that are not cut, by their index in the transcript's message. */
  readonly whole: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/** Edits that are made together or not at all. */
type MakePartEdits = readonly MakePartEdit[];

/** For the attempts of one decision: what a message would take in a form is counted once for all of them. */
export function newShrink(look: Look): ShrinkMessage {
  const counted = new Map<Slot, Map<string, number>>();
  const tokensOf = (slot: Slot, key: string, makes: () => readonly MakePartEdits[]): number => {
    const known = counted.get(slot) ?? new Map<string, number>();
    counted.set(slot, known);
    const tokens = known.get(key) ?? tokensAfter(look, slot, makes());
    known.set(key, tokens);
    return tokens;
  };
  const shrinkWithin = (source: Source, allowed: number): readonly MakePartEdits[] => {
    const { slot, whole } = source;
    const sizeOf = (form: string, makes: () => readonly MakePartEdits[]): number =>
      tokensOf(slot, `${form} ${whole.size}`, makes);
    /** The most, from 0 up, with which the message takes no more than is allowed. */
    const fitMost = (form: string, most: number, makes: (n: number) => readonly MakePartEdits[]): number =>
      findMost(most, (n) => sizeOf(`${form}${n}`, () => makes(n)) <= allowed);
    const longest = slot.message.parts.reduce((most, part) => Math.max(most, partText(part).length), -Infinity);
    const chars = fitMost('chars', longest, (n) => shrinkParts(source, n));
    const isEnough = chars > 0 || sizeOf('chars0', () => shrinkParts(source, 0)) <= allowed;
    const parts = slot.message.parts.length;
    return isEnough || parts < 2
      ? shrinkParts(source, chars)
      : joinParts(
          source,
          fitMost('parts', parts - 1, (n) => joinParts(source, n)),
        );
  };
  return (batch, slot, allowed, keepsText = false) => {
    if (slot.tokens <= allowed || slot.fold !== undefined) return;
    const source: Source = { slot, original: look.original(slot), canRecall: look.given.canRecall, whole: none };
    const hasResults = slot.message.parts.some(({ type }) => type === 'result');
    const whole = (hasResults ? look.keptAlways.get(slot.first) : undefined) ?? none;
    const beside = whole.size === 0 ? undefined : shrinkWithin({ ...source, whole }, allowed);
    const isKept = beside !== undefined && (keepsText || tokensAfter(look, slot, beside) <= allowed);
    for (const together of isKept ? beside : shrinkWithin(source, allowed)) batch.add(slot, ...together);
  };
}

function findMost(most: number, fits: (n: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What the message would take after these edits. */
function tokensAfter(look: Look, slot: Slot, makes: readonly MakePartEdits[]): number {
  const original = look.original(slot);
  const trial = tryEdits(slot, original, look.count);
  for (const together of makes) trial.take(...together.map((make) => make(look.ref(0), original.id)));
  return trial.sizes.tokens;
}

const isWhole = ({ slot, whole }: Source, shown: number): boolean => whole.has(partIndex(slot, shown));

/** Each part keeps so many characters. */
const shrinkParts = (source: Source, chars: number): readonly MakePartEdits[] =>
  source.slot.message.parts.flatMap((_, shown) => {
    const make = isWhole(source, shown) ? undefined : shrinkPart(source, shown, chars);
    return make === undefined ? [] : [[make]];
  });

/** As many texts leave one mark at the most. */
const MOST_TOGETHER = 10_000;

/**
 * Where a mark for every part is too much: the first and last `kept` parts stay, half and half, and neighbouring texts or
 * results between them leave one mark together.
 */
function joinParts(source: Source, kept: number): readonly MakePartEdits[] {
  const { parts } = source.slot.message;
  const [head, tail] = [Math.ceil(kept / 2), parts.length - Math.floor(kept / 2)];
  const makes: MakePartEdits[] = [];
  let run: number[] = [];
  const endRun = (): void => {
    makes.push(joinRun(source, run));
    run = [];
  };
  for (let shown = head; shown < tail; shown++) {
    const type = parts[shown]?.type;
    if (isWhole(source, shown)) {
      endRun();
      continue;
    }
    if (run.length >= MOST_TOGETHER || type !== parts[run[0] ?? shown]?.type) endRun();
    if (type === 'text' || type === 'result') {
      run.push(shown);
      continue;
    }
    const make = shrinkPart(source, shown, 0);
    if (make !== undefined) makes.push([make]);
  }
  endRun();
  return makes;
}

/** One mark in the place of the first of neighbours. Of other texts nothing stays; results answer their calls with the least there is. */
function joinRun(source: Source, [bearer, ...others]: readonly number[]): MakePartEdits {
  const { slot, canRecall } = source;
  if (bearer === undefined) return [];
  if (others.length === 0) return [shrinkPart(source, bearer, 0) ?? []].flat();
  const isResult = slot.message.parts[bearer]?.type === 'result';
  let first: string | undefined;
  // The mark is the last of the edits, so that it knows the references of all.
  return [
    ...others.map((shown): MakePartEdit => {
      const part = partIndex(slot, shown);
      return (ref, message) => {
        first ??= ref;
        return isResult
          ? { type: 'replace', ref, message, part, excerpt: [cutResultMark] }
          : { type: 'drop', ref, message, part };
      };
    }),
    (ref, message) => ({
      type: 'replace',
      ref,
      message,
      part: partIndex(slot, bearer),
      excerpt: [cutPartsMark(first ?? ref, ref, canRecall)],
    }),
  ];
}

/** Parts shorter than this get the short mark, and pictures give way too. */
const SMALL = 400;

function shrinkPart(source: Source, shown: number, chars: number): MakePartEdit | undefined {
  const { slot, canRecall } = source;
  const [part, index] = [slot.message.parts[shown], partIndex(slot, shown)];
  switch (part?.type) {
    case undefined:
    case 'native':
      return undefined;
    case 'reasoning':
      return chars >= part.text.length ? undefined : (ref, message) => ({ type: 'drop', ref, message, part: index });
    case 'media':
      return chars >= SMALL
        ? undefined
        : (ref, message) => ({
            type: 'replace',
            ref,
            message,
            part: index,
            excerpt: [mediaRemovedNotice(partText(part), ref, canRecall)],
          });
    case 'call':
      return JSON.stringify(part.input).length <= chars
        ? undefined
        : (ref, message) => ({
            type: 'shorten',
            ref,
            message,
            part: index,
            input: shrinkInput(part.input, chars, ref),
          });
    default:
      return shrinkText(source, shown, chars);
  }
}

/** Head and tail are of the original, also where the view shows a part of it; where it shows none, nothing comes back. */
function shrinkText({ slot, original, canRecall }: Source, shown: number, chars: number): MakePartEdit | undefined {
  const [part, index] = [slot.message.parts[shown], partIndex(slot, shown)];
  const own = original.parts[index];
  const now = part === undefined ? '' : partText(part);
  if (own === undefined || now.length <= chars || isCutPartsMark(now) || now === cutResultMark) return undefined;
  const isGone = slot.edited?.has(index) === true && slot.cut?.has(index) !== true;
  const half = Math.floor(chars / 2);
  const cut = (ref: string): Excerpt =>
    headAndTail(partText(own), half, half, (gone) =>
      chars < SMALL ? shortCutMark(ref) : cutMark(gone, ref, canRecall),
    );
  return (ref, message) => ({
    type: 'replace',
    ref,
    message,
    part: index,
    excerpt: isGone ? [shortCutMark(ref)] : cut(ref),
  });
}

/** Arguments with their long strings cut; if that is not enough, only a pointer is left. */
function shrinkInput(input: Json, chars: number, ref: string): Json {
  const shrink = (value: Json): Json => {
    if (typeof value === 'string')
      return value.length <= chars ? value : `${cutHead(value, Math.floor(chars / 2))}${shortCutMark(ref)}`;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shrink);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shrink(one)]));
  };
  const shaped = shrink(input);
  return JSON.stringify(shaped).length <= Math.max(chars * 4, 64) ? shaped : { hidden: ref };
}
