import type { SummaryItem } from '../ledger/summary-item.ts';
import { type Message, partText } from '../message/message.ts';
import { listItems } from '../view/read-summary.ts';
import { findForeignNames } from './check-names.ts';
import { newPlaceFinder } from './find-places.ts';

/** A summary's statements with the places that they come from, and what in it nothing proves. */
export interface ProvenSummary {
  readonly items: readonly SummaryItem[];
  /** Names, paths and numbers in it that its source does not hold. */
  readonly flagged: readonly string[];
}

/** Looks where a summary comes from that somebody else wrote, by the rules by which our own are proven. */
export function proveSummary(text: string, source: readonly Message[]): ProvenSummary {
  const items = listItems(text);
  const finder = newPlaceFinder({ source, statements: items.map((item) => item.text), hasQuotes: true });
  return {
    items: items.map((item) => ({ ...item, places: finder.findPlaces(item.text, item.text) })),
    flagged: findForeignNames(
      text,
      source.map(({ parts }) => parts.map(partText).join('\n')),
    ),
  };
}
