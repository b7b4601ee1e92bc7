import type { Words } from '../digest/evidence/evidence.ts';
import { wordsRoom } from '../digest/words/words-room.ts';
import { countBehind, foldSlots, makeMessage } from '../edits/fold-slots.ts';
import type { Edit, FoldEdit, InsertEdit } from '../ledger/edit.ts';
import { droppedNotice, heldWordsNotice } from '../notices.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import type { Slot } from '../view/slot.ts';
import { isWords } from '../view/turns.ts';
import { findMissing, type VitalWords, type Wanted } from '../view/unheld-words.ts';
import { joinUnits, type Unit, unitsOf } from '../view/units.ts';

/** The estimated tokens that a view may grow by: up to the trigger, up to where there is room for the turns to come, to the target. */
export interface Spare {
  readonly most: number;
  readonly easy: number;
  readonly least: number;
}

/** Rules of so many tokens are held even where words have less room, and whatever is left for the turns to come. */
const LEAST_FOR_RULES = 256;

/**
 * The last look at a view that layers have changed: what the user forbade, asked for and said last stands in it word for
 * word. What does not comes back beside all else where there is room; what was forbidden and said last, else, in the place of
 * the oldest units.
 */
export function holdWords({ vital, others }: Wanted, spare: Spare): Layer {
  return {
    name: 'hold-words',
    decide(look) {
      const everything = [...vital, ...others];
      if (findMissing(look.slots, everything).length === 0) return nothing;
      const room = wordsRoom(look.given.budget);
      const pastes = vital.filter(({ rank }) => rank === 'paste');
      // A paste that takes more than words may is told by its head and tail, and named.
      const words = fitsWords(look, pastes, room) ? vital : vital.filter(({ rank }) => rank !== 'paste');
      const urgent = countUrgent(look, words);
      const growth = fitsWords(look, words, room) ? spare.easy : spare.least;
      const beside: Put = (some) => (fitsWords(look, some, room) ? putBeside(look, some, growth) : undefined);
      const inPlace: Put = (some) => putBeside(look, some, spare.most) ?? putInPlace(look, some, spare.most);
      const edits =
        (fitsWords(look, everything, room) ? putBeside(look, everything, spare.easy) : undefined) ??
        bringBackMost(words, urgent, beside) ??
        bringBackMost(words.slice(0, urgent), 1, inPlace) ??
        bringBackMost(
          words.slice(0, urgent).filter(({ rank }) => rank === 'denial'),
          1,
          inPlace,
        );
      return { edits: edits ?? [] };
    },
  };
}

/** Whether all of the words, each once, are within the room. */
function fitsWords(look: Look, words: readonly Words[], room: number): boolean {
  let taken = 0;
  for (const text of new Set(words.map((one) => one.text))) {
    taken += look.given.countText(`- ${text}\n`);
    if (taken > room) return false;
  }
  return true;
}

/** The edits after which the view holds the words; undefined where there is no room for them. */
type Put = (words: readonly VitalWords[]) => readonly Edit[] | undefined;

/** How many of the first words other things may go for: the request, and the first rules. */
function countUrgent(look: Look, words: readonly VitalWords[]): number {
  const rules = words.filter(({ rank }) => rank === 'denial');
  const over = rules.findIndex((_, i) => !fitsWords(look, rules.slice(0, i + 1), LEAST_FOR_RULES));
  const requests = words.filter(({ rank }) => rank === 'request' || rank === 'paste').length;
  return requests + (over < 0 ? rules.length : over);
}

/** As many of the words as can be brought back, in the order of need; undefined where these are less than so many. */
function bringBackMost(words: readonly VitalWords[], least: number, put: Put): readonly Edit[] | undefined {
  let found: readonly Edit[] | undefined;
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const edits = put(words.slice(0, middle));
    if (edits === undefined) high = middle - 1;
    else {
      found = edits;
      low = middle;
    }
  }
  return low < least ? undefined : found;
}

const writeLines = (words: readonly Words[]): string =>
  [heldWordsNotice, ...words.toSorted((a, b) => a.at - b.at).map(({ text }) => `- ${text}`)].join('\n');

/** Whether a message was put here to hold words: then the next one takes its place. */
function isHolder({ inserted, message }: Slot): boolean {
  const [part] = message.parts;
  return inserted === true && part?.type === 'text' && part.text.startsWith(heldWordsNotice);
}

/** The words behind the first unit, as a message of their own. */
function putBeside(look: Look, words: readonly Words[], spare: number): readonly InsertEdit[] | undefined {
  if (findMissing(look.slots, words).length === 0) return [];
  const units = unitsOf(look.slots);
  const slot = units[0]?.slots.findLast(({ inserted }) => inserted !== true);
  // Nothing may stand between a call in flight and its result.
  if (slot === undefined || (look.hasOpenCalls && units.length === 1)) return undefined;
  const [ref, after] = [look.ref(0), look.original(slot).id];
  const stale = look.slots.filter(isHolder);
  const kept = look.slots.filter((one) => !isHolder(one));
  const made = makeMessage(ref, { from: after, to: after }, writeLines(findMissing(kept, words)));
  const grows = look.count(made) - stale.reduce((sum, one) => sum + one.tokens, 0);
  if (grows > spare || kept.length + 1 > look.given.budget.triggerMessages) return undefined;
  const replaces = stale.flatMap(({ fold }) => fold ?? []);
  return [{ type: 'insert', ref, after, messages: [made], ...(replaces.length === 0 ? {} : { replaces }) }];
}

/** The words in the place of the fewest of the oldest units whose going makes room for them. */
function putInPlace(look: Look, words: readonly VitalWords[], spare: number): readonly FoldEdit[] | undefined {
  // What a provider refused is half as large already, and may hold a summary that was paid for: the next view has room again.
  if (look.given.trigger === 'overflow') return undefined;
  const units = unitsOf(look.slots);
  const newest = units.at(-1);
  const stays = look.hasOpenCalls || (newest !== undefined && isWords(newest.first));
  const room = look.slots.reduce((sum, slot) => sum + slot.tokens, 0) + Math.max(0, spare);
  const fits = (count: number): boolean => {
    const fold = foldUnits(look, units.slice(0, count), words);
    const rest = units.slice(count).reduce((sum, unit) => sum + unit.tokens, 0);
    // The newest round, with what it found out, goes for words of a few lines only.
    const most = count === units.length ? room / 2 : room - rest;
    return fold?.messages.every((message) => look.count(message) <= most) === true;
  };
  const last = (stays ? [units.length - 1] : [units.length, units.length - 1]).find(
    (count) => count > 0 && fits(count),
  );
  if (last === undefined) return undefined;
  let [low, high] = [1, last];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  const fold = foldUnits(look, units.slice(0, high), words);
  return fold === undefined ? undefined : [fold];
}

/** The fold of the first units, which shows what they and units before them held of the words. */
function foldUnits(look: Look, units: readonly Unit[], words: readonly Words[]): FoldEdit | undefined {
  const span = joinUnits(units);
  if (span === undefined) return undefined;
  const ref = look.ref(0);
  const missing = findMissing(look.slots.slice(span.end), words);
  const notice = droppedNotice(countBehind(span), ref, look.given.canRecall);
  const body = missing.length === 0 ? notice : `${notice}\n${writeLines(missing)}`;
  const fold = foldSlots(look, span, ref, (standsFor) => [makeMessage(ref, standsFor, body)]);
  // The next summary goes on from what the one before told.
  const mark = span.slots.findLast((slot) => slot.summary !== undefined)?.summary;
  return mark === undefined ? fold : { ...fold, summary: mark };
}
