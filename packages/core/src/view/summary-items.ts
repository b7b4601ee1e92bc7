import type { ItemUpdate, LeftItems, SummaryItem } from '../ledger/summary-item.ts';
import { leftOutNotice } from '../notices.ts';
import type { SummarySection, SummaryTemplate } from './summary-template.ts';

/** What a statement is called by. */
export const nameItem = (number: number): string => `s${number}`;

/** The statements as a model reads them: each with its number, under its heading, and a word on those that are left out. */
export function writeItems(items: readonly SummaryItem[], left?: LeftItems): string {
  const sections = new Map<string, string[]>();
  for (const item of items) {
    const lines = sections.get(item.section) ?? [];
    lines.push(writeItem(item));
    sections.set(item.section, lines);
  }
  const bodies = [...sections].map(([name, lines]) => (name === '' ? lines : [`## ${name}`, ...lines]).join('\n'));
  const notice = left === undefined ? [] : [leftOutNotice(left.count, nameItem(left.first), nameItem(left.last))];
  return [...bodies, ...notice].join('\n');
}

const writeItem = ({ number, text }: SummaryItem): string => `- [${nameItem(number)}] ${text}`;

/** The section of a form that a heading means, however it is written. */
export function findSection(
  { sections }: Pick<SummaryTemplate, 'sections'>,
  heading: string,
): SummarySection | undefined {
  const bare = (name: string): string =>
    name
      .toLowerCase()
      .replace(/^\d+[.)]\s*/, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return heading === ''
    ? (sections.find(({ general }) => general === true) ?? sections[0])
    : sections.find(({ name }) => bare(name) === bare(heading));
}

/** In the order of the form's headings, others behind them; under each by number. */
export function sortItems(items: readonly SummaryItem[], { sections }: SummaryTemplate): readonly SummaryItem[] {
  const known = sections.map(({ name }) => name);
  const others = [...new Set(items.map(({ section }) => section))].filter((name) => !known.includes(name));
  const order = [...known, ...others];
  return items.toSorted((a, b) => order.indexOf(a.section) - order.indexOf(b.section) || a.number - b.number);
}

/** Where the statements take more than their room, those go that came up longest ago; the user's own, and the newest state, last. */
export function fitItems(
  update: ItemUpdate,
  room: number,
  countText: (text: string) => number,
  template: Pick<SummaryTemplate, 'sections'>,
): ItemUpdate {
  let { items, left } = update;
  const aged: SummaryItem[] = [];
  const weigh = ({ by, section }: SummaryItem): number =>
    by === 'user' ? 2 : findSection(template, section)?.latest === true ? 1 : 0;
  const queue = items.toSorted((a, b) => weigh(a) - weigh(b) || a.used - b.used || a.number - b.number);
  let over = countText(writeItems(items, left)) - room;
  while (over > 0 && queue.length > 0) {
    // By their own sizes as many as must go at least; what they come to together is counted then.
    const gone = new Set<SummaryItem>();
    for (let freed = 0; freed < over && queue.length > 0; ) {
      const item = queue.shift();
      if (item === undefined) break;
      freed += countText(writeItem(item));
      gone.add(item);
      aged.push(item);
      left = countLeft(left, item);
    }
    items = items.filter((item) => !gone.has(item));
    over = items.length === 0 ? 0 : countText(writeItems(items, left)) - room;
  }
  if (aged.length === 0) return update;
  return { ...update, items, aged: [...update.aged, ...aged], ...(left === undefined ? {} : { left }) };
}

const countLeft = (left: LeftItems | undefined, { number }: SummaryItem): LeftItems => ({
  count: (left?.count ?? 0) + 1,
  first: Math.min(left?.first ?? number, number),
  last: Math.max(left?.last ?? number, number),
});
