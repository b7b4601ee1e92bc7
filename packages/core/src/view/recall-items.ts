import type { SummaryMark } from '../ledger/edit.ts';
import type { SummaryItem } from '../ledger/summary-item.ts';
import type { Message } from '../message/message.ts';
import { standingWalks } from './record-entry.ts';
import { nameItem } from './summary-items.ts';
import type { ViewState } from './view-state.ts';

/** Statements of summaries, as they were last said, and the messages that they come from. */
export interface RecalledItems {
  readonly text: string;
  readonly messages: readonly Message[];
}

const NAMES = /^s(\d{1,9})(?:\s*(?:to|-|–|\.\.)\s*s(\d{1,9}))?$/;

/** Reads statements by their numbers (`s12`, `s3 to s9`), whether they stand, were retired, or had no room. Undefined: none is called so. */
export function recallItems(state: ViewState, ref: string): RecalledItems | undefined {
  const [, first, last = first] = NAMES.exec(ref.trim()) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Math.min(Number(first), Number(last)), Math.max(Number(first), Number(last))];
  const found = [...newestItems(state).values()].filter(({ item }) => item.number >= from && item.number <= to);
  if (found.length === 0) return undefined;
  const ids = new Set(found.flatMap(({ item }) => item.places.map(({ message }) => message)));
  return {
    text: found
      .toSorted((a, b) => a.item.number - b.item.number)
      .map(tellItem)
      .join('\n'),
    messages: [...ids].flatMap((id) => state.base[state.places.get(id) ?? -1] ?? []),
  };
}

interface KnownItem {
  readonly item: SummaryItem;
  readonly state: 'stands' | 'retired' | 'left out';
}

/** By number: each as the newest summary that names it has it. */
function newestItems({ entries }: ViewState): ReadonlyMap<number, KnownItem> {
  const known = new Map<number, KnownItem>();
  const note = (state: KnownItem['state'], items: readonly SummaryItem[] = []): void => {
    for (const item of items) known.set(item.number, { item, state });
  };
  for (const mark of listMarks(entries)) {
    note(
      'retired',
      mark.retired?.map(({ item }) => item),
    );
    note('left out', mark.aged);
    note('stands', mark.items);
  }
  return known;
}

const listMarks = (entries: ViewState['entries']): readonly SummaryMark[] =>
  standingWalks(entries).flatMap((walk) =>
    walk.flatMap(({ edits }) => edits.flatMap((edit) => (edit.type === 'fold' ? (edit.summary ?? []) : []))),
  );

const tellItem = ({ item: { number, section, text, places }, state }: KnownItem): string => {
  const from = places.map(({ message }) => message).join(', ');
  const about = [
    section,
    state === 'stands' ? '' : state,
    from === '' ? 'no place in the conversation' : `from ${from}`,
  ];
  return `${nameItem(number)} (${about.filter((word) => word !== '').join('; ')}): ${text}`;
};
