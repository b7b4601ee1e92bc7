import { allow, checkOptions } from '../check-options.ts';
import { wordsRoom } from '../digest/words/words-room.ts';
import { countBehind, foldSlots, makeMessage } from '../edits/fold-slots.ts';
import type { FoldEdit } from '../ledger/edit.ts';
import { text } from '../message/message.ts';
import { snippedNotice, snippedWordsNotice } from '../notices.ts';
import type { Steps } from '../steps.ts';
import { decideInSteps, stepsOfWords } from '../view/decide-in-steps.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { joinUnits, splitRuns, type Unit, unitsOf } from '../view/units.ts';

/** How many messages stay at both ends. */
export interface SnipMiddleOptions {
  /** 3 by default: the task is usually stated there. */
  readonly keepFirst?: number;
  /** 47 by default. */
  readonly keepLast?: number;
  /** `count`, the default: as soon as there are more than first + last. `limit`: only over the budget's message limit. */
  readonly when?: 'count' | 'limit';
}

/** The middle of a very long list goes as one; pinned messages in it stay, and what the user typed. Not inside a subagent. */
export function snipMiddle(options: SnipMiddleOptions = {}): Layer {
  checkOptions<SnipMiddleOptions>('snipMiddle()', options, {
    keepFirst: allow.amount,
    keepLast: allow.amount,
    when: allow.oneOf('count', 'limit'),
  });
  const { keepFirst = 3, keepLast = 47, when = 'count' } = options;
  return {
    name: 'snip-middle',
    decide: decideInSteps(function* (look) {
      const { budget, subagent } = look.given;
      const notices = look.slots[keepFirst]?.fold === undefined ? 0 : 1;
      const wanted = when === 'limit' ? look.over.messages > 0 : look.slots.length - notices > keepFirst + keepLast;
      if (subagent || !wanted) return nothing;
      const last = when === 'limit' ? Math.min(keepLast, budget.targetMessages - keepFirst - 1) : keepLast;
      const until = look.slots.length - Math.max(1, last);
      const middle = unitsOf(look.slots).filter((unit) => unit.start >= keepFirst && unit.end <= until);
      return {
        edits: yield* snipRuns(
          look,
          splitAtPins(look, middle).filter(({ length }) => length > 1),
        ),
      };
    }),
  };
}

/** What lies between pinned messages, as runs of neighbours. */
export const splitAtPins = (look: Pick<Look, 'isPinned'>, units: readonly Unit[]): readonly (readonly Unit[])[] =>
  splitRuns(units, (unit) => unit.slots.some((slot) => look.isPinned(slot.message.id)));

/** Each run gives way to a notice, with what the user typed there; where that would be no smaller, it stays. */
export function* snipRuns(look: Look, runs: readonly (readonly Unit[])[]): Steps<readonly FoldEdit[]> {
  const edits: FoldEdit[] = [];
  let room = wordsRoom(look.given.budget);
  for (const run of runs) {
    const span = joinUnits(run);
    if (span === undefined) continue;
    const ref = look.ref(edits.length);
    const words = yield* stepsOfWords(look, span.first.first, span.reach, room);
    const fold = foldSlots(look, span, ref, (standsFor) => {
      const made = makeMessage(ref, standsFor, snippedNotice(countBehind(span), ref, look.given.canRecall));
      return [words === '' ? made : { ...made, parts: [...made.parts, text(`${snippedWordsNotice}\n${words}`)] }];
    });
    if (!fold.messages.every((message) => look.count(message) < span.tokens)) continue;
    // What the user typed must outlive it, as in a summary.
    const to = look.behind(span.first, { ...span.last, last: span.reach }).at(-1)?.id;
    const reach = to === undefined || span.reach === span.last.last ? {} : { to };
    edits.push(words === '' ? fold : { ...fold, summary: { of: 'span', by: 'digest', ...reach } });
    room -= look.given.countText(words);
  }
  return edits;
}
