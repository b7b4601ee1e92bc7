import type { Recompaction, SummaryMark } from '../../ledger/edit.ts';
import type { Look } from '../../view/look.ts';
import { nameMade } from '../../view/reference.ts';
import type { Narrative } from './narrative.ts';
import { isSummary, type SummarySpan } from './summary-span.ts';

/** What the ledger keeps of a summary besides its text: for the next summary, for the receipt, for whoever links a stored session. */
export function markSummary(
  look: Look,
  span: SummarySpan,
  { by, text, statements, fact, failed }: Narrative,
  ref: string,
): SummaryMark {
  return {
    of: 'history',
    by,
    ...(text === undefined ? {} : { narrative: text }),
    ...(fact === undefined ? {} : { flagged: fact.flagged }),
    ...statements,
    ...readSpending(fact ?? failed),
    ...(failed === undefined ? {} : { failure: { code: failed.code, why: failed.why } }),
    ...keptSegment(look, span, ref),
    count: countMessages(look),
    recompaction: readRecompaction(look),
  };
}

const readSpending = (
  spent: Narrative['fact'] | Narrative['failed'],
): Pick<SummaryMark, 'calls' | 'usage' | 'cost'> => {
  const { calls, usage, cost } = spent ?? {};
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
  };
};

const countMessages = ({ slots }: Look): number => (slots.at(-1)?.last ?? -1) + 1;

function keptSegment(look: Look, span: SummarySpan, ref: string): Pick<SummaryMark, 'kept'> {
  const kept = span.start > 0 ? look.slots.slice(0, span.start) : look.slots.slice(span.end);
  const [first, last] = [kept[0]?.message.id, kept.at(-1)?.message.id];
  if (first === undefined || last === undefined) return {};
  // What is kept hangs on the summary, which is the boundary too: a tail behind it, a prefix before it.
  return { kept: { first, anchor: nameMade(ref), last } };
}

/** How this compaction follows the one before it. */
function readRecompaction({ slots, behind, given }: Look): Recompaction {
  const { budget, trigger } = given;
  const begins = budget.floorFrom ?? budget.trigger;
  // Where tokens alone press nobody, the trigger is infinite, which no ledger can hold.
  const threshold = trigger === 'overflow' || begins === Infinity ? {} : { threshold: begins };
  const previous = slots.findLast(isSummary);
  const [first, last] = [slots[0], slots.at(-1)];
  if (previous?.fold === undefined || first === undefined || last === undefined)
    return { inChain: false, ...threshold };
  const { count } = previous.summary ?? {};
  if (count === undefined) return { inChain: false, previous: previous.fold, ...threshold };
  const since = behind(first, last).slice(count - first.first);
  return {
    inChain: !since.some((message) => message.origin === 'human'),
    turnsSince: since.filter((message) => message.role === 'assistant').length,
    previous: previous.fold,
    ...threshold,
  };
}
