import type { SummaryMark } from '../ledger/edit.ts';
import type { RetiredItem, SummaryItem } from '../ledger/summary-item.ts';
import { partText } from '../message/message.ts';
import { splitStatements } from './split-statements.ts';
import type { ViewState } from './view-state.ts';

/** The summary that a view shows, as data: `session.summary()`. */
export interface LiveSummary {
  /** By which recall reads what it stands for. */
  readonly ref: string;
  /** Who wrote the statements; `digest`: nobody, and the evidence is all there is, but for what earlier ones said. */
  readonly by: SummaryMark['by'];
  /** All that the view shows of it: the frame, the statements, the evidence by code. */
  readonly text: string;
  /** The model's part alone, as it is shown. Absent where there is none. */
  readonly narrative?: string;
  /**
   * Its statements with the places that they come from. Of a narrative that was not made of statements its lines, none of them
   * proven; numbers count from 1 then.
   */
  readonly items: readonly SummaryItem[];
  /** What it retired, and what it has no room for any more: recall reads both, by number. */
  readonly retired: readonly RetiredItem[];
  readonly aged: readonly SummaryItem[];
  /** Names, paths and numbers in it that the transcript does not hold. */
  readonly flagged: readonly string[];
}

/** The live summary of a view, if it shows one. */
export function readSummary({ slots }: Pick<ViewState, 'slots'>): LiveSummary | undefined {
  const slot = slots.findLast(({ summary }) => summary?.of === 'history');
  if (slot?.summary === undefined || slot.fold === undefined) return undefined;
  const { by, narrative, items, retired = [], aged = [], flagged = [] } = slot.summary;
  return {
    ref: slot.fold,
    by,
    text: slot.message.parts.map(partText).join('\n'),
    ...(narrative === undefined ? {} : { narrative }),
    items: items ?? listItems(narrative ?? ''),
    retired,
    aged,
    flagged,
  };
}

/** The statements of a narrative that was not made of them: nothing proves one. */
export const listItems = (narrative: string): readonly SummaryItem[] =>
  splitStatements(narrative).map(({ section, text }, i) => ({
    number: i + 1,
    section,
    text,
    places: [],
    by: 'model',
    used: 0,
  }));
